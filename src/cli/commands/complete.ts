import type { CliCommand } from "../cli-command.ts";

/** Called by completion scripts; `quick-commands.ts` runs it without loading the other commands. */
export const complete: CliCommand = {
  name: "__complete",
  reader: "person",
  summary: "Print completions of a command line; used by completion scripts",
  group: "Upkeep",
  hidden: true,
  example: 'cairn __complete "cairn show ep:"',
  configure(command) {
    command
      .argument("<line>", "the command line up to the cursor")
      .option("--wait", "wait for the result without a time limit");
  },
  async run(line, [text = ""], options) {
    const { answerCompletion, printValues } = await import("../completion/answer-completion.ts");
    if (options.wait === true) await printValues(line, text);
    else await answerCompletion(line, [text]);
    return undefined;
  },
};
