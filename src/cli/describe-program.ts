import type { Command } from "commander";

export interface DescribedCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
  readonly summary: string;
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly DescribedOption[];
}

export interface DescribedOption {
  readonly flags: string;
  readonly long: string;
  /** Such as `-n`. */
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly description: string;
}

/** Lists all commands in help order; `lead` is the first word of two-word commands. */
export function describeProgram(program: Command, lead = ""): readonly DescribedCommand[] {
  return program.commands.flatMap((command) => {
    const verbs = describeProgram(command, `${lead}${command.name()} `);
    const isGroup = verbs.length > 0 && command.registeredArguments.length === 0;
    return isGroup ? verbs : [describeCommand(command, lead), ...verbs];
  });
}

function describeCommand(command: Command, lead: string): DescribedCommand {
  return {
    name: `${lead}${command.name()}`,
    aliases: command.aliases(),
    group: (command.helpGroup() ?? "").replace(/:$/, ""),
    summary: command.summary(),
    usage: `cairn ${lead}${command.name()} ${command.usage()}`.trim(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
    })),
    options: command.options.map((option) => ({
      flags: option.flags,
      long: option.long ?? option.flags,
      short: option.short,
      takesValue: option.required || option.optional,
      description: option.description,
    })),
  };
}
