import {
  DEFAULT_SHOWN,
  type ExecuteOptions,
  type MemoryEngine,
  type Operation,
  validateInput,
} from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { parseField } from "../../shared/parse-field.ts";
import type { CliCommand, CommandGroup } from "../cli-command.ts";
import { type CommandLine, withMemory } from "../command-line.ts";
import { completeIds, idsOrStdin, readStdinText } from "../complete-ids.ts";
import { EXIT } from "../exit-code.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";
import type { RecordForm } from "../render/write-records.ts";
import { rephraseError } from "../rephrase-errors.ts";
import {
  type CommandField,
  configure,
  describeFields,
  isList,
  isListCommand,
  toDashed,
} from "./command-fields.ts";
import { keyOfOtherName } from "./other-name.ts";

function commandName({ name, cli }: Operation): string | undefined {
  return cli?.command === false ? undefined : (cli?.command ?? name.replaceAll("_", "-"));
}

/** The operation's name, then its aliases. */
export function commandNames(operation: Operation): readonly string[] {
  const name = commandName(operation);
  return name === undefined ? [] : [name, ...(operation.cli?.aliases ?? [])];
}

/** Undefined if the operation has no command. */
export function operationCommand(operation: Operation): CliCommand | undefined {
  const { positionals = [], example, aliases, shelf } = operation.cli ?? {};
  const name = commandName(operation);
  if (name === undefined) return undefined;
  const fields = describeFields(operation, positionals);
  return {
    name,
    reader: "person",
    summary: operation.summary,
    ...(aliases !== undefined && { aliases }),
    ...(shelf !== undefined && { shelf }),
    group: chooseGroup(operation),
    example: example ?? `cairn ${name}`,
    configure: (sub) => configure(sub, operation, fields),
    async run(line, args, options) {
      const words = await readIds(line, operation, args);
      const input = await readTexts(line, fields, {
        ...operation.cli?.defaults,
        ...readInput(operation, fields, { words, options }),
      });
      return withMemory(line, options, async (memory, app) => {
        const value = await completeIds(memory, fields, input);
        requireFields(operation, fields, value);
        const { session } = app.config.settings;
        const output = await withProgress(line, (onProgress) =>
          execute(memory, operation, {
            input: value,
            options: {
              signal: line.signal,
              onProgress,
              surface: "cli",
              maxItems: DEFAULT_SHOWN,
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
            : await withSecondAnswer(memory, operation, output),
          asJson,
          text: textFor(operation, value, output),
          database,
          isSentence: operation.confirm !== undefined,
          pager: options.pager !== false,
          form: parseRecordForm(operation, options),
        });
        return failedSections(output) ? EXIT.failed : undefined;
      });
    },
  };
}

/** Applies several ids as one atomic changeset. */
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

function chooseGroup(operation: Operation): CommandGroup {
  return operation.cli?.group ?? (operation.kind === "write" ? "Corrections" : "Inspection");
}

/** Formats the result with the operation's own text, for a pipe or as a sentence. */
function textFor(
  operation: Operation,
  input: Record<string, unknown>,
  output: unknown,
): string | undefined {
  // Explained results are shown in full, also in a pipe.
  if (isPlainObject(output) && "explain" in output) return undefined;
  if (operation.confirm === undefined) return operation.present?.(output, input).text;
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (Array.isArray(ids)) return operation.confirm({ ...input, [each]: ids.join(", ") }, output);
  return operation.confirm(validateInput(operation.input, input, operation.name), output);
}

function parseRecordForm(
  { cli }: Operation,
  options: Readonly<Record<string, unknown>>,
): RecordForm {
  if (!isListCommand(cli)) return {};
  const { oneline, csv, columns, format } = options;
  return {
    oneline: oneline === true,
    csv: csv === true,
    columns: typeof columns === "string" ? columns : undefined,
    format: typeof format === "string" ? format : undefined,
  };
}

async function withSecondAnswer(
  memory: MemoryEngine,
  { cli }: Operation,
  output: unknown,
): Promise<unknown> {
  if (cli?.companion === undefined || !isPlainObject(output)) return output;
  const { operation, input, describe } = cli.companion;
  const answer = await memory.executeNamed(operation, input, { caller: OWNER });
  const described = describe === undefined ? answer : describe(answer);
  return described === undefined ? output : { ...output, [operation]: described };
}

function withoutOmitted(operation: Operation, output: unknown): unknown {
  const omit = operation.cli?.omit ?? [];
  if (omit.length === 0 || !isPlainObject(output)) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => !omit.includes(name)));
}

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

interface CommandArguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

export function readInput(
  operation: Operation,
  fields: readonly CommandField[],
  { words, options }: CommandArguments,
): Record<string, unknown> {
  const { args, ids } = separateIds(operation, words);
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value =
      field.position === undefined
        ? findOption(field, options)
        : field.variadic
          ? restValues(args, field.position)
          : args[field.position];
    if (value === undefined) continue;
    input[field.name] = convert(field, value);
  }
  if (ids.length > 1 && operation.cli?.each !== undefined) input[operation.cli.each] = ids;
  return input;
}

function findOption(field: CommandField, options: CommandArguments["options"]): unknown {
  const { name, singular, otherName } = field;
  const value = options[camelCase(name)] ?? options[keyOfOtherName(otherName ?? "")];
  const additional = singular === undefined ? undefined : options[camelCase(singular)];
  return additional === undefined ? value : [value ?? [], additional].flat();
}

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

function restValues(args: readonly string[], from: number): string[] | undefined {
  return args.length > from ? args.slice(from) : undefined;
}

function convert(field: CommandField, value: unknown): unknown {
  const text = isList(field) && Array.isArray(value) ? value.join(",") : value;
  if (typeof text !== "string") return text;
  const name = field.position === undefined ? `--${toDashed(field.name)}` : toDashed(field.name);
  return parseField(field.kind, text, name);
}

/** Replaces `-` with the ids on standard input. */
function readIds(
  line: CommandLine,
  operation: Operation,
  args: readonly string[],
): readonly string[] | Promise<readonly string[]> {
  const { each, positionals = [] } = operation.cli ?? {};
  const takesIds = each !== undefined || positionals[0] === "ids...";
  return takesIds ? idsOrStdin(line, args) : args;
}

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
  if (input[field.name] === undefined && line.stdin.isTTY === true) throw missingTextMessage(field);
  if (second !== undefined) {
    throw invalidInput(`${toDashed(second.name)}: only one text can be read from standard input`);
  }
  const text = await readStdinText(line);
  if (input[field.name] === undefined && text === "") throw missingTextMessage(field);
  return { ...input, [field.name]: text };
}

function missingTextMessage({ name }: CommandField): Error {
  return invalidInput(`missing required argument '${toDashed(name)}': pass it, or pipe it in`);
}

/** Throws invalid_input naming fields as command-line options. */
function requireFields(
  operation: Operation,
  fields: readonly CommandField[],
  input: Record<string, unknown>,
): void {
  const words = Object.fromEntries(
    fields.map(({ name, position }) => [
      name,
      position === undefined ? `--${toDashed(name)}` : toDashed(name),
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
      throw rephraseError(words, error);
    }
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
