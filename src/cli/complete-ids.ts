import type { MemoryEngine } from "../memory/index.ts";
import { invalidInput } from "../shared/errors.ts";
import type { FieldKind, IdKind } from "../shared/fields.ts";
import { idPrefix, isNumbered } from "../shared/ids.ts";
import { isPlainObject } from "../shared/json.ts";
import { parseList } from "../shared/parse-field.ts";
import type { CommandLine } from "./command-line.ts";

interface IdField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly names: IdKind | undefined;
}

/** Expands bare numbers and concept id prefixes to full ids. */
export async function completeIds(
  memory: MemoryEngine,
  fields: readonly IdField[],
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const completed: Record<string, unknown> = { ...input };
  for (const { name, kind, names } of fields) {
    const value = input[name];
    if (names === undefined) continue;
    if (Array.isArray(value)) completed[name] = await completeAll(memory, value, names);
    else if (typeof value === "string" && value !== "") {
      completed[name] =
        kind === "text"
          ? await completeId(memory, value, names)
          : await completeAll(memory, parseList(value, "list"), names);
    }
  }
  return completed;
}

function completeAll(
  memory: MemoryEngine,
  ids: readonly unknown[],
  names: IdKind,
): Promise<string[]> {
  return Promise.all(ids.map((id) => completeId(memory, String(id), names)));
}

/** Shorter prefixes are ambiguous. */
const MIN_PREFIX_LENGTH = 3;
const MAX_SHOWN = 6;

export async function completeId(
  memory: MemoryEngine,
  id: string,
  names: IdKind = "item",
): Promise<string> {
  const kind = names === "item" ? "episode" : names;
  if (isNumbered(kind) && /^[1-9]\d*$/.test(id)) return `${idPrefix(kind)}${id}`;
  const mayBeConcept = names === "item" || names === "concept";
  if (!mayBeConcept || id.length < MIN_PREFIX_LENGTH || !/^[a-z0-9]+$/.test(id)) return id;
  const { suggestions } = await memory.execute("suggest", {
    prefix: id,
    kinds: ["concept"],
    limit: 200,
  });
  const found = suggestions.filter(({ value }) => value.startsWith(id));
  const [first, second] = found;
  if (first === undefined || found.some(({ value }) => value === id)) return id;
  if (second === undefined) return first.value;
  const lines = found.slice(0, MAX_SHOWN).map(({ value, detail }) => `  ${value}  ${detail}`);
  throw invalidInput(`"${id}" matches several ids; use a longer prefix:\n${lines.join("\n")}`);
}

export async function idsOrStdin(
  line: CommandLine,
  args: readonly string[],
): Promise<readonly string[]> {
  if (!args.includes("-")) return args;
  const read = splitIds(await readStdinText(line));
  if (read.length === 0) throw invalidInput("ids: standard input contains no ids");
  return args.flatMap((arg) => (arg === "-" ? read : [arg]));
}

export function splitIds(text: string): string[] {
  const content = text.trim();
  if (!/^[[{]/.test(content)) return content.split(/[\s,]+/).filter((word) => word !== "");
  try {
    return collectIds(JSON.parse(content));
  } catch {
    throw invalidInput("ids: standard input begins like JSON but is not valid JSON");
  }
}

function collectIds(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(collectIds);
  if (!isPlainObject(value)) return [];
  if (typeof value.id === "string") return [value.id];
  return Object.values(value).flatMap((part) => (Array.isArray(part) ? collectIds(part) : []));
}

export async function readStdin({ stdin }: CommandLine): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** Strips the trailing newline that `echo` and editors append. */
export async function readStdinText(line: CommandLine): Promise<string> {
  return (await readStdin(line)).replace(/\r?\n$/, "");
}
