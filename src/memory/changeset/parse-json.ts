import type { Steps } from "../../shared/async.ts";
import { isCairnError } from "../../shared/errors.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseField } from "../../shared/parse-field.ts";
import type { ChangesetForm } from "./changeset-form.ts";
import { fieldOfKey, knownKeys } from "./changeset-form.ts";
import { excerpt, shorten } from "./excerpt.ts";
import {
  CHANGESET_START,
  type ChangesetIssue,
  type ChangesetStart,
  malformedIssue,
  type OpPosition,
  type ParsedChangeset,
  type ParsedOp,
} from "./parsed-op.ts";

const MAX_KEYS = 100;
const MAX_ISSUES = 20;

const NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export class OpBuilder {
  readonly #issues: ChangesetIssue[] = [];
  #left = 0;
  readonly form: ChangesetForm;
  readonly #position: OpPosition;
  readonly #args = new Map<string, unknown>();
  readonly #nameOfField = new Map<string, string>();
  #as: string | undefined;

  constructor(form: ChangesetForm, position: OpPosition) {
    this.form = form;
    this.#position = position;
  }

  /** Reports a CairnError thrown by `read` as an issue. */
  setKey(key: string, read: (field: string) => unknown): void {
    if (key === "as" && !this.form.nameless) {
      this.#name(read("as"));
      return;
    }
    const field = fieldOfKey(this.form, key);
    if (field === undefined) {
      if (this.#issues.length >= MAX_ISSUES) this.#left += 1;
      else
        this.report(
          `${this.form.op} has no key "${shorten(key)}".${didYouMean(key, knownKeys(this.form))}`,
        );
      return;
    }
    this.setField(field, key, () => read(field));
  }

  /** `source` names the origin of the value in messages: a key or "the text". */
  setField(field: string, source: string, read: () => unknown): void {
    const earlier = this.#nameOfField.get(field);
    if (earlier !== undefined) {
      this.report(repeatedKeyIssue(field, earlier, source));
      return;
    }
    this.#nameOfField.set(field, source);
    try {
      this.#args.set(field, read());
    } catch (error) {
      if (!isCairnError(error)) throw error;
      this.report(error.message);
    }
  }

  has(field: string): boolean {
    return this.#nameOfField.has(field);
  }

  report(message: string): void {
    if (this.#issues.length < MAX_ISSUES)
      this.#issues.push(malformedIssue(this.#position, message));
    else this.#left += 1;
  }

  get issues(): readonly ChangesetIssue[] {
    if (this.#left === 0) return this.#issues;
    return [...this.#issues, malformedIssue(this.#position, `And ${this.#left} more like these.`)];
  }

  build(): ParsedOp {
    const { op_index: opIndex, line, op } = this.#position;
    const parsed = { opIndex, line, op, args: Object.fromEntries(this.#args) };
    return this.#as === undefined ? parsed : { ...parsed, as: this.#as };
  }

  #name(value: unknown): void {
    if (this.#as !== undefined) this.report(repeatedKeyIssue("as", "as", "as"));
    else if (typeof value === "string" && NAME_PATTERN.test(value)) this.#as = value;
    else {
      this.report(
        `as must be a name of letters, digits, "_" and "-" that starts with a letter or "_", without "$"; not ${excerpt(value)}.`,
      );
    }
  }
}

function repeatedKeyIssue(field: string, earlier: string, later: string): string {
  if (earlier === later) return `"${shorten(later)}" is given twice. Keep one.`;
  return `${shorten(field)} is given twice, by ${shorten(earlier)} and by ${shorten(later)}. Keep one.`;
}

export function unknownOpIssue(op: string, forms: ReadonlyMap<string, ChangesetForm>): string {
  return `Unknown op ${excerpt(op)}.${didYouMean(op, [...forms.keys()])}`;
}

interface JsonItemLocation {
  readonly line: number;
  /** Keys as written, including duplicates, which `JSON.parse` would drop. */
  readonly keys: readonly string[];
}

const TOKEN_PATTERN = /["[\]{},:\n]|[^\s"[\]{},:]{1,4096}/g;

function locateItems(text: string): JsonItemLocation[] {
  const items: { line: number; keys: string[] }[] = [];
  let line = 1;
  let depth = 0;
  let isNewItem = false;
  let lastString = "";
  TOKEN_PATTERN.lastIndex = 0;
  for (let match = TOKEN_PATTERN.exec(text); match !== null; match = TOKEN_PATTERN.exec(text)) {
    let [token] = match;
    if (token === '"') {
      const end = findStringEnd(text, match.index);
      token = text.slice(match.index, end);
      TOKEN_PATTERN.lastIndex = end;
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

function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let escapes = 0;
    while (text.charAt(quote - 1 - escapes) === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Decodes escapes, so that differently escaped keys compare equal. */
function unquote(text: string): string {
  return String(JSON.parse(text));
}

/**
 * Parses an object, or an array of objects, each with `op` and the compact form's keys. Values
 * retain their JSON types; lists may also be comma-separated text.
 */
export function* parseJsonChangeset(
  text: string,
  forms: ReadonlyMap<string, ChangesetForm>,
  start: ChangesetStart = CHANGESET_START,
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
    const location = { opIndex: start.op + index, line: start.line + line - 1, keys };
    const builder = readOp(item, location, forms);
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
    return malformedIssue(position, 'A JSON changeset is an array of objects: [{"op": …}].');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return malformedIssue({ ...position, line: start.line + error.line - 1 }, `${error.message}.`);
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
  const location = { op_index: opIndex, line, op: "" };
  if (!isPlainObject(item)) {
    return malformedIssue(
      location,
      `An op is an object such as {"op": "delete", …}, not ${excerpt(item)}.`,
    );
  }
  const distinct = new Set(keys);
  if (distinct.size > MAX_KEYS) {
    return malformedIssue(location, `An op has at most ${MAX_KEYS} keys, not ${distinct.size}.`);
  }
  const { op, ...values } = item;
  if (typeof op !== "string")
    return malformedIssue(location, 'The op needs its name as text: "op".');
  const position = { op_index: opIndex, line, op };
  const form = forms.get(op);
  if (form === undefined) return malformedIssue(position, unknownOpIssue(op, forms));
  const builder = new OpBuilder(form, position);
  for (const key of findRepeatedKeys(keys))
    builder.report(`"${shorten(key)}" is given twice. Keep one.`);
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

function findRepeatedKeys(keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(keys.filter((key) => seen.has(key) || !seen.add(key)));
}
