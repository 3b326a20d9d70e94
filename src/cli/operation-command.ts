import type { Command } from "commander";
import { invalidInput } from "../kernel/errors.ts";
import { metaOf } from "../kernel/field-meta.ts";
import { parseField } from "../kernel/parse-field.ts";
import {
  type FieldKind,
  fieldDefault,
  fieldKind,
  isRequired,
  type Operation,
  validateInput,
} from "../memory/index.ts";
import type { CliCommand, CommandGroup } from "./cli-command.ts";
import type { CommandLine } from "./command-line.ts";
import { withMemory } from "./open-app.ts";
import { readStdinText } from "./read-stdin.ts";
import { printResult } from "./render/print-result.ts";
import { withProgress } from "./render/progress.ts";

/** The command of an operation, or undefined when it has none. */
export function operationCommand(operation: Operation): CliCommand | undefined {
  const { command, positionals = [], example, aliases, hidden, shelf, noun } = operation.cli ?? {};
  if (command === false) return undefined;
  const name = command ?? operation.name.replaceAll("_", "-");
  const fields = describeFields(operation, positionals);
  return {
    name,
    summary: operation.summary,
    ...(aliases !== undefined && { aliases }),
    ...(hidden !== undefined && { hidden }),
    ...(shelf !== undefined && { shelf }),
    ...(noun !== undefined && { noun }),
    group: groupOf(operation),
    example: example ?? `cairn ${name}`,
    configure: (sub) => configure(sub, fields),
    async run(line, args, options) {
      const input = await readTexts(line, fields, readInput(fields, args, options));
      return withMemory(line, options, async (memory, app) => {
        validateInput(operation.input, input, operation.name);
        const { session } = app.config.settings;
        const output = await withProgress(line, (onProgress) =>
          memory.executeNamed(operation.name, input, {
            signal: line.signal,
            onProgress,
            surface: "cli",
            ...(session !== undefined && { session }),
          }),
        );
        const text = operation.present?.(output).text;
        const database = app.config.database.by === "default" ? undefined : memory.name;
        await printResult(line, { output, asJson: options.json === true, text, database });
        return undefined;
      });
    },
  };
}

/** `-` reads a long text from standard input. */
async function readTexts(
  line: CommandLine,
  fields: readonly CommandField[],
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const piped = fields.filter(({ name, longText }) => longText && input[name] === "-");
  const [field, second] = piped;
  if (field === undefined) return input;
  if (second !== undefined) {
    throw invalidInput(`${dashed(second.name)}: only one text can be read from standard input`);
  }
  return { ...input, [field.name]: await readStdinText(line) };
}

interface CommandField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  readonly longText: boolean;
  readonly short: string | undefined;
  readonly initial: unknown;
  /** Place among the positionals, from 0. */
  readonly position: number | undefined;
  readonly variadic: boolean;
}

function describeFields(operation: Operation, positionals: readonly string[]): CommandField[] {
  const names = positionals.map((text) => text.replace("...", ""));
  return Object.entries(operation.input.shape).map(([name, schema]) => {
    const position = names.indexOf(name);
    return {
      name,
      kind: fieldKind(schema),
      description: ("description" in schema && String(schema.description ?? "")) || "",
      required: isRequired(schema),
      longText: metaOf(schema).longText ?? false,
      short: metaOf(schema).short ?? operation.cli?.short?.[name],
      initial: fieldDefault(schema),
      position: position < 0 ? undefined : position,
      variadic: positionals[position]?.endsWith("...") ?? false,
    };
  });
}

function configure(command: Command, fields: readonly CommandField[]): void {
  const positional = fields
    .filter((field) => field.position !== undefined)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  for (const { name, required, variadic, description } of positional) {
    const shown = `${dashed(name)}${variadic ? "..." : ""}`;
    command.argument(required ? `<${shown}>` : `[${shown}]`, description);
  }
  for (const field of fields) {
    if (field.position === undefined) addOption(command, field);
  }
}

function addOption(command: Command, field: CommandField): void {
  const flag = `${field.short === undefined ? "" : `-${field.short}, `}--${dashed(field.name)}`;
  const initial =
    field.initial === undefined || field.initial === "" ? "" : ` (default: ${field.initial})`;
  const description = `${field.description}${initial}`.trim();
  if (field.kind === "boolean") {
    command.option(field.initial === true ? `--no-${dashed(field.name)}` : flag, description);
  } else if (isList(field)) {
    const collect = (value: string, former: string[] = []) => [...former, value];
    command.option(`${flag} <list>`, description, collect);
  } else {
    command.option(`${flag} <${field.kind}>`, description);
  }
}

/** Values as the operation wants them, from what was written. */
function readInput(
  fields: readonly CommandField[],
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value =
      field.position === undefined
        ? options[camelCase(field.name)]
        : field.variadic
          ? rest(args, field.position)
          : args[field.position];
    if (value === undefined) continue;
    input[field.name] = convert(field, value);
  }
  return input;
}

function rest(args: readonly string[], from: number): string[] | undefined {
  return args.length > from ? args.slice(from) : undefined;
}

function convert(field: CommandField, value: unknown): unknown {
  const text = isList(field) && Array.isArray(value) ? value.join(",") : value;
  if (typeof text !== "string") return text;
  const name = field.position === undefined ? `--${dashed(field.name)}` : dashed(field.name);
  return parseField(field.kind, text, name);
}

function isList({ kind }: CommandField): boolean {
  return kind === "list" || kind === "textList";
}

function groupOf(operation: Operation): CommandGroup {
  return operation.cli?.group ?? (operation.kind === "write" ? "Corrections" : "Inspection");
}

function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
