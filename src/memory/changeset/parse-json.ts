import type { Steps } from "../../shared/async.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../../shared/json.ts";
import { parseField } from "../../shared/parse-field.ts";
import type { ChangesetForm } from "./changeset-form.ts";
import { type ChangesetIssue, malformed } from "./changeset-issue.ts";
import { excerpt, shorten } from "./excerpt.ts";
import { MAX_KEYS, OpBuilder, unknownOp } from "./op-builder.ts";
import {
  AT_THE_START,
  type ChangesetStart,
  type ParsedChangeset,
  type ParsedOp,
} from "./parsed-op.ts";

interface JsonItemLocation {
  /** Line on which the item of the outer array starts, from 1. */
  readonly line: number;
  /** Keys of the item as written, repetitions included, which `JSON.parse` would drop. */
  readonly keys: readonly string[];
}

const TOKEN = /["[\]{},:\n]|[^\s"[\]{},:]{1,4096}/g;

/** Where the items of an array stand in its JSON text, which has parsed. */
function locateItems(text: string): JsonItemLocation[] {
  const items: { line: number; keys: string[] }[] = [];
  let line = 1;
  let depth = 0;
  let isNewItem = false;
  let lastString = "";
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    let [token] = match;
    if (token === '"') {
      const end = endOfString(text, match.index);
      token = text.slice(match.index, end);
      TOKEN.lastIndex = end;
    }
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (isNewItem && token !== "]") items.push({ line, keys: [] });
    isNewItem = depth === 1 && token === ",";
    if (token === "[" || token === "{") {
      depth += 1;
      isNewItem = depth === 1;
    } else if (token === "]" || token === "}") depth -= 1;
    else if (token === ":" && depth === 2) items.at(-1)?.keys.push(unquote(lastString));
    else if (token.startsWith('"')) lastString = token;
  }
  return items;
}

/** Position after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let escapes = 0;
    while (text.charAt(quote - 1 - escapes) === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Keys that only differ in their escapes are the same key. */
function unquote(text: string): string {
  return String(JSON.parse(text));
}

/**
 * The JSON form: an object, or an array of objects, each with `op` and the keys of the compact form. Values keep
 * their JSON types; a list may also be text separated by commas.
 */
export function* parseJsonChangeset(
  text: string,
  forms: ReadonlyMap<string, ChangesetForm>,
  start: ChangesetStart = AT_THE_START,
): Steps<ParsedChangeset> {
  const list = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .startsWith("{")
    ? `[${text}]`
    : text;
  const items = readArray(list, start);
  if (!Array.isArray(items)) return { ops: [], issues: [items] };
  yield;
  const locations = locateItems(list);
  const ops: ParsedOp[] = [];
  const issues: ChangesetIssue[] = [];
  for (const [index, item] of items.entries()) {
    yield;
    const { line, keys } = locations[index] ?? { line: 1, keys: [] };
    const place = { opIndex: start.op + index, line: start.line + line - 1, keys };
    const builder = readOp(item, place, forms);
    if (builder instanceof OpBuilder) {
      ops.push(builder.build());
      issues.push(...builder.issues);
    } else {
      issues.push(builder);
    }
  }
  return { ops, issues };
}

function readArray(source: string, start: ChangesetStart): unknown[] | ChangesetIssue {
  const position = { op_index: start.op, line: start.line, op: "" };
  try {
    const value = parseJson(source);
    if (Array.isArray(value)) return value;
    return malformed(position, 'A JSON changeset is an array of objects: [{"op": …}].');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return malformed({ ...position, line: start.line + error.line - 1 }, `${error.message}.`);
  }
}

interface Location {
  readonly opIndex: number;
  readonly line: number;
  readonly keys: readonly string[];
}

function readOp(
  item: unknown,
  { opIndex, line, keys }: Location,
  forms: ReadonlyMap<string, ChangesetForm>,
): OpBuilder | ChangesetIssue {
  const nowhere = { op_index: opIndex, line, op: "" };
  if (!isPlainObject(item)) {
    return malformed(
      nowhere,
      `An op is an object such as {"op": "delete", …}, not ${excerpt(item)}.`,
    );
  }
  const distinct = new Set(keys);
  if (distinct.size > MAX_KEYS) {
    return malformed(nowhere, `An op has at most ${MAX_KEYS} keys, not ${distinct.size}.`);
  }
  const { op, ...values } = item;
  if (typeof op !== "string") return malformed(nowhere, 'The op needs its name as text: "op".');
  const position = { op_index: opIndex, line, op };
  const form = forms.get(op);
  if (form === undefined) return malformed(position, unknownOp(op, forms));
  const builder = new OpBuilder(form, position);
  for (const key of repeatedIn(keys)) builder.report(`"${shorten(key)}" is given twice. Keep one.`);
  for (const [key, value] of Object.entries(values)) {
    builder.setKey(key, (field) => readValue(value, form, { field, key }));
  }
  return builder;
}

function readValue(
  value: unknown,
  form: ChangesetForm,
  { field, key }: { readonly field: string; readonly key: string },
): unknown {
  const type = form.types?.[field];
  return typeof value === "string" && type === "list" ? parseField(type, value, key) : value;
}

function repeatedIn(keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(keys.filter((key) => seen.has(key) || !seen.add(key)));
}
