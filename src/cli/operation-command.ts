import { type Command, Option } from "commander";
import { OWNER } from "../kernel/caller.ts";
import { invalidInput } from "../kernel/errors.ts";
import { unwrapField } from "../kernel/field-kind.ts";
import { type IdKind, metaOf } from "../kernel/field-meta.ts";
import { isPlainObject } from "../kernel/json.ts";
import { parseField } from "../kernel/parse-field.ts";
import {
  type ExecuteOptions,
  type FieldKind,
  fieldDefault,
  fieldKind,
  isRequired,
  type MemoryEngine,
  type Operation,
  SHOWN_BY_DEFAULT,
  validateInput,
} from "../memory/index.ts";
import type { CliCommand, CommandGroup } from "./cli-command.ts";
import type { CommandLine } from "./command-line.ts";
import { completeIds, idsOrStdin } from "./complete-ids.ts";
import { EXIT } from "./exit-code.ts";
import { fieldWords } from "./field-words.ts";
import { toShellWords } from "./in-shell-words.ts";
import { withMemory } from "./open-app.ts";
import { readStdinText } from "./read-stdin.ts";
import { printResult } from "./render/print-result.ts";
import { withProgress } from "./render/progress.ts";
import type { RecordForm } from "./render/write-records.ts";

/** The command of an operation, or undefined when it has none. */
export function operationCommand(operation: Operation): CliCommand | undefined {
  const { command, positionals = [], example, aliases, hidden, shelf, noun } = operation.cli ?? {};
  if (command === false) return undefined;
  const name = command ?? operation.name.replaceAll("_", "-");
  const fields = describeFields(operation, positionals);
  return {
    name,
    reader: "person",
    summary: operation.summary,
    ...(aliases !== undefined && { aliases }),
    ...(hidden !== undefined && { hidden }),
    ...(shelf !== undefined && { shelf }),
    ...(noun !== undefined && { noun }),
    group: groupOf(operation),
    example: example ?? `cairn ${name}`,
    configure: (sub) => configure(sub, operation, fields),
    async run(line, args, options) {
      const words = await readIds(line, operation, args);
      const input = await readTexts(line, fields, {
        ...operation.cli?.defaults,
        ...readInput(operation, fields, { words, options }),
      });
      return withMemory(line, options, async (memory, app) => {
        const given = await completeIds(memory, fields, input);
        checkGiven(operation, fields, given);
        const { session } = app.config.settings;
        const output = await withProgress(line, (onProgress) =>
          execute(memory, operation, {
            input: given,
            options: {
              signal: line.signal,
              onProgress,
              surface: "cli",
              most: SHOWN_BY_DEFAULT,
              ...(session !== undefined && { session }),
              ...(line.once !== undefined && { once: line.once() }),
            },
          }),
        );
        const database = app.config.database.by === "default" ? undefined : memory.name;
        const asJson = options.json === true;
        await printResult(line, {
          output: asJson
            ? withoutOmitted(operation, output)
            : await withBeside(memory, operation, output),
          asJson,
          text: textFor(operation, given, output),
          database,
          isSentence: operation.confirm !== undefined,
          pager: options.pager !== false,
          form: formOf(operation, options),
        });
        return failedSections(output) ? EXIT.failed : undefined;
      });
    },
  };
}

/** Ids that are given several at once are one changeset: all or nothing. */
function execute(
  memory: MemoryEngine,
  operation: Operation,
  { input, options }: { readonly input: Record<string, unknown>; readonly options: ExecuteOptions },
): Promise<unknown> {
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (!Array.isArray(ids))
    return memory.executeNamed(operation.name, input, { caller: OWNER, ...options });
  const op = operation.changeset?.op ?? operation.name;
  const ops = ids.map((id) => ({ op, ...input, [each]: id }));
  return memory.execute("apply", { changeset: JSON.stringify(ops) }, options);
}

/** What the operation itself says of its answer, for a pipe or as a sentence. */
function textFor(
  operation: Operation,
  input: Record<string, unknown>,
  output: unknown,
): string | undefined {
  // What explains itself is told in full, through a pipe too.
  if (isPlainObject(output) && "explain" in output) return undefined;
  if (operation.confirm === undefined) return operation.present?.(output).text;
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (Array.isArray(ids)) return operation.confirm({ ...input, [each]: ids.join(", ") }, output);
  return operation.confirm(validateInput(operation.input, input, operation.name), output);
}

/** Lists can be written for other programs. */
function formOf({ cli }: Operation, options: Readonly<Record<string, unknown>>): RecordForm {
  if (cli?.noun === undefined) return {};
  const { oneline, csv, columns, format } = options;
  return {
    oneline: oneline === true,
    csv: csv === true,
    columns: typeof columns === "string" ? columns : undefined,
    format: typeof format === "string" ? format : undefined,
  };
}

/** With what people are shown besides it. */
async function withBeside(
  memory: MemoryEngine,
  { cli }: Operation,
  output: unknown,
): Promise<unknown> {
  if (cli?.beside === undefined || !isPlainObject(output)) return output;
  const { operation, input } = cli.beside;
  return { ...output, [operation]: await memory.executeNamed(operation, input, { caller: OWNER }) };
}

function withoutOmitted(operation: Operation, output: unknown): unknown {
  const omit = operation.cli?.omit ?? [];
  if (omit.length === 0 || !isPlainObject(output)) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => !omit.includes(name)));
}

/** An answer of several parts, one of which could not be given. */
function failedSections(output: unknown): boolean {
  return (
    isPlainObject(output) &&
    Object.values(output).some(
      (part) => isPlainObject(part) && Object.keys(part).length === 1 && isErrorBody(part.error),
    )
  );
}

function isErrorBody(value: unknown): boolean {
  return (
    isPlainObject(value) && typeof value.code === "string" && typeof value.message === "string"
  );
}

/** Errors name fields as they are written here. Throws invalid_input. */
function checkGiven(
  operation: Operation,
  fields: readonly CommandField[],
  input: Record<string, unknown>,
): void {
  const words = Object.fromEntries(
    fields.map(({ name, position }) => [
      name,
      position === undefined ? `--${dashed(name)}` : dashed(name),
    ]),
  );
  const missing = fields.find(({ name, required }) => required && input[name] === undefined);
  if (missing !== undefined) {
    throw invalidInput(
      `${words[missing.name]} is missing${missing.description === "" ? "." : `: ${missing.description}`} For example: ${operation.cli?.example?.split("\n")[0] ?? ""}`,
    );
  }
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  for (const one of Array.isArray(ids) ? ids : [ids]) {
    try {
      validateInput(operation.input, ids === undefined ? input : { ...input, [each]: one }, "");
    } catch (error) {
      throw toShellWords(words, error);
    }
  }
}

/** `-` among ids stands for those on standard input. */
function readIds(
  line: CommandLine,
  operation: Operation,
  args: readonly string[],
): readonly string[] | Promise<readonly string[]> {
  const { each, positionals = [] } = operation.cli ?? {};
  const takesIds = each !== undefined || positionals[0] === "ids...";
  return takesIds ? idsOrStdin(line, args) : args;
}

/** `-` reads a long text from standard input. */
async function readTexts(
  line: CommandLine,
  fields: readonly CommandField[],
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const piped = fields.filter(
    ({ name, longText, required, position }) =>
      longText &&
      (input[name] === "-" || (required && position === 0 && input[name] === undefined)),
  );
  const [field, second] = piped;
  if (field === undefined) return input;
  if (input[field.name] === undefined && line.stdin.isTTY === true) throw missingText(field);
  if (second !== undefined) {
    throw invalidInput(`${dashed(second.name)}: only one text can be read from standard input`);
  }
  const text = await readStdinText(line);
  if (input[field.name] === undefined && text === "") throw missingText(field);
  return { ...input, [field.name]: text };
}

function missingText({ name }: CommandField): Error {
  return invalidInput(`missing required argument '${dashed(name)}': write it, or pipe it in`);
}

interface CommandField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  readonly longText: boolean;
  readonly short: string | undefined;
  /** Another name of its option, for one entry of a list: `--label` beside `--labels`. */
  readonly singular: string | undefined;
  readonly names: IdKind | undefined;
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
      description: describeField(schema) || fieldWords(name, metaOf(schema).names),
      required: isRequired(schema),
      longText: metaOf(schema).longText ?? false,
      names: metaOf(schema).names,
      singular: metaOf(schema).queryLabel,
      short: metaOf(schema).short ?? operation.cli?.short?.[name],
      initial: fieldDefault(schema),
      position: position < 0 ? undefined : position,
      variadic: positionals[position]?.endsWith("...") ?? false,
    };
  });
}

/** Said of the field, or of what it may leave out. */
function describeField(schema: unknown): string {
  for (const one of [schema, unwrapField(schema)]) {
    const said = isObject(one) && "description" in one ? one.description : undefined;
    if (typeof said === "string") return said;
  }
  return "";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function configure(
  command: Command,
  { cli = {} }: Operation,
  fields: readonly CommandField[],
): void {
  const positional = fields
    .filter((field) => field.position !== undefined)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  if (cli.each !== undefined) {
    const rest = cli.pair === undefined ? "" : ` <${cli.pair.join("=")}>`;
    command.argument(`<${dashed(cli.each)}s...>`, `ids, or - for those on standard input${rest}`);
    command.usage(`[options] <${dashed(cli.each)}...>${rest}`);
  }
  for (const { name, required, variadic, description, longText, position } of cli.each === undefined
    ? positional
    : []) {
    const shown = `${dashed(name)}${variadic ? "..." : ""}`;
    // A long text that is not given may come through a pipe.
    const isOptional = !required || (longText && position === 0);
    command.argument(isOptional ? `[${shown}]` : `<${shown}>`, description);
  }
  for (const field of fields) {
    if (field.position === undefined) addOption(command, field);
  }
  if (cli.noun !== undefined) {
    command
      .option("--oneline", "one record a line")
      .option("--csv", "CSV with a header")
      .option("--columns <names>", "these fields only, e.g. id,title")
      .option("--format <text>", "a text with fields in it, e.g. '{id} {title}'");
  }
}

function addOption(command: Command, field: CommandField): void {
  const flag = `${field.short === undefined ? "" : `-${field.short}, `}--${dashed(field.name)}`;
  const initial =
    field.initial === undefined || field.initial === "" ? "" : ` (default: ${field.initial})`;
  const must = field.required ? " (required)" : "";
  const description = `${field.description}${initial}${must}`.trim();
  if (field.kind === "boolean") {
    command.option(field.initial === true ? `--no-${dashed(field.name)}` : flag, description);
  } else if (isList(field)) {
    const collect = (value: string, former: string[] = []) => [...former, value];
    command.option(`${flag} <list>`, description, collect);
    if (field.singular === undefined) return;
    const said = `The same as --${dashed(field.name)}, of one entry; may be repeated.`;
    const singular = new Option(`--${dashed(field.singular)} <entry>`, said).argParser(collect);
    command.addOption(singular.hideHelp());
  } else {
    command.option(`${flag} <${field.kind}>`, description);
    // `--k` is written as `-k` by everybody who has not read that it is `-n`.
    if (field.name.length > 1 || field.short === field.name) return;
    const said = `The same as --${field.name}.`;
    command.addOption(new Option(`-${field.name} <${field.kind}>`, said).hideHelp());
  }
}

interface Written {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Values as the operation wants them, from what was written. */
function readInput(
  operation: Operation,
  fields: readonly CommandField[],
  { words, options }: Written,
): Record<string, unknown> {
  const { args, ids } = separateIds(operation, words);
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value =
      field.position === undefined
        ? optionOf(field, options)
        : field.variadic
          ? rest(args, field.position)
          : args[field.position];
    if (value === undefined) continue;
    input[field.name] = convert(field, value);
  }
  if (ids.length > 1 && operation.cli?.each !== undefined) input[operation.cli.each] = ids;
  return input;
}

function optionOf({ name, singular }: CommandField, options: Written["options"]): unknown {
  const value = options[camelCase(name)];
  const further = singular === undefined ? undefined : options[camelCase(singular)];
  return further === undefined ? value : [value ?? [], further].flat();
}

/** `ep:1 ep:2 area=x` → the ids, and what is written for one of them. */
function separateIds(
  { cli = {} }: Operation,
  words: readonly string[],
): { readonly args: readonly string[]; readonly ids: readonly string[] } {
  const { each, pair, positionals = [] } = cli;
  if (each === undefined) return { args: words, ids: [] };
  const last = words.at(-1) ?? "";
  const at = last.indexOf("=");
  if (pair !== undefined && words.length > 1 && at > 0) {
    const ids = words.slice(0, -1);
    return { args: [ids[0] ?? "", last.slice(0, at), last.slice(at + 1)], ids };
  }
  const others = positionals.length - 1;
  const ids = others === 0 ? words : words.slice(0, 1);
  return { args: [ids[0] ?? "", ...words.slice(ids.length)], ids };
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
