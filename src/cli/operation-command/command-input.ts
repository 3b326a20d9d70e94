import { type Operation, validateInput } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { parseField } from "../../shared/parse-field.ts";
import type { CommandLine } from "../command-line.ts";
import { idsOrStdin } from "../complete-ids.ts";
import { toShellWords } from "../in-shell-words.ts";
import { readStdinText } from "../read-stdin.ts";
import { type CommandField, dashed, isList } from "./command-fields.ts";
import { keyOfOtherName } from "./other-name.ts";

interface Written {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

export function readInput(
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

function optionOf(field: CommandField, options: Written["options"]): unknown {
  const { name, singular, otherName } = field;
  const value = options[camelCase(name)] ?? options[keyOfOtherName(otherName ?? "")];
  const further = singular === undefined ? undefined : options[camelCase(singular)];
  return further === undefined ? value : [value ?? [], further].flat();
}

/** `ep:1 ep:2 area=x` → the ids, and the remaining words. */
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

/** Replaces `-` among ids with the ids on standard input. */
export function readIds(
  line: CommandLine,
  operation: Operation,
  args: readonly string[],
): readonly string[] | Promise<readonly string[]> {
  const { each, positionals = [] } = operation.cli ?? {};
  const takesIds = each !== undefined || positionals[0] === "ids...";
  return takesIds ? idsOrStdin(line, args) : args;
}

/** Replaces `-` with the long text on standard input. */
export async function readTexts(
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

/** Errors name fields as the command line does. Throws invalid_input. */
export function checkGiven(
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

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
