export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isPlainObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A syntax error with line and column, counted from 1. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = "JsonSyntaxError";
  readonly line: number;
  readonly column: number;

  constructor(text: string, offset: number) {
    const before = text.slice(0, offset).split("\n");
    const line = before.length;
    const column = (before.at(-1) ?? "").length + 1;
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : "it ends";
    super(`Broken JSON: ${found} at line ${line}, column ${column}`);
    this.line = line;
    this.column = column;
  }
}

/**
 * `JSON.parse` whose errors always have a position, which V8 provides only sometimes. Ignores a
 * leading byte order mark.
 */
export function parseJson(text: string): unknown {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return JSON.parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonSyntaxError(source, findSyntaxError(source));
  }
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TOKEN_PATTERN =
  /\s*(?:([{}[\],:])|(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)))/y;

/** A string segment without terminator or escape; bounded because V8 limits match length. */
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]{1,65536}/y;
const ESCAPE_SEQUENCE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Returns the offset after the string; undefined if malformed. */
function findStringEnd(text: string, start: number): number | undefined {
  let offset = start + 1;
  while (text[offset] !== '"') {
    const part = text[offset] === "\\" ? ESCAPE_SEQUENCE : PLAIN_CHARACTERS;
    part.lastIndex = offset;
    if (!part.test(text)) return undefined;
    offset = part.lastIndex;
  }
  return offset + 1;
}

/** Maximum keys per object in a request. */
export const MAX_JSON_KEYS = 2_000;

/**
 * True if an object has more than `limit` keys. Scans the text, possibly malformed, because parsing
 * such objects takes seconds.
 */
export function hasLargerObject(text: string, limit = MAX_JSON_KEYS): boolean {
  const open: number[] = [];
  let keys = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    switch (text.charCodeAt(offset)) {
      case 0x22:
        offset = findClosingQuote(text, offset);
        break;
      case 0x7b:
      case 0x5b:
        open.push(keys);
        keys = 0;
        break;
      case 0x7d:
      case 0x5d:
        keys = open.pop() ?? 0;
        break;
      case 0x3a:
        keys += 1;
        if (keys > limit) return true;
    }
  }
  return false;
}

function findClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text.charCodeAt(start - 1) === 0x5c) start -= 1;
  return (offset - start) % 2 === 1;
}

type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next" | "end";

/** Returns the offset of the first unexpected token. */
function findSyntaxError(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    TOKEN_PATTERN.lastIndex = offset;
    const match = TOKEN_PATTERN.exec(text);
    const start = offset + (/^\s*/.exec(text.slice(offset, offset + 4096))?.[0].length ?? 0);
    if (match === null) return start;
    const next = nextExpected(expected, match, open);
    const end =
      match[2] === undefined
        ? TOKEN_PATTERN.lastIndex
        : findStringEnd(text, TOKEN_PATTERN.lastIndex - 1);
    if (next === undefined || end === undefined) return start;
    expected = next;
    offset = end;
  }
}

function nextExpected(
  expected: Expected,
  [, mark, string, scalar]: RegExpExecArray,
  open: ("{" | "[")[],
): Expected | undefined {
  const afterValue = () => (open.length === 0 ? "end" : "next");
  const wantsValue = expected === "value" || expected === "first value";
  const wantsKey = expected === "key" || expected === "first key";
  if (string !== undefined && wantsKey) return "colon";
  if ((string !== undefined || scalar !== undefined) && wantsValue) return afterValue();
  if (mark === ":") return expected === "colon" ? "value" : undefined;
  if (mark === ",") {
    if (expected !== "next") return undefined;
    return open.at(-1) === "{" ? "key" : "value";
  }
  if ((mark === "{" || mark === "[") && wantsValue) {
    open.push(mark);
    return mark === "{" ? "first key" : "first value";
  }
  const closes = mark === "}" ? "{" : mark === "]" ? "[" : undefined;
  const mayClose = expected === "next" || expected === "first key" || expected === "first value";
  if (closes === undefined || !mayClose || open.at(-1) !== closes) return undefined;
  open.pop();
  return afterValue();
}

/**
 * Deeper values are rejected, because code that walks JSON recursively could overflow the stack.
 */
export const MAX_JSON_DEPTH = 200;

/** Does not recurse. */
export function isNestedDeeper(value: unknown, limit = MAX_JSON_DEPTH): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

export const PROTO_KEY = "__proto__";

/** True if any nested object has the key `__proto__`. Does not recurse. */
export function hasProtoKey(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    const objects = level.filter((item) => typeof item === "object" && item !== null);
    if (objects.some((item) => Object.hasOwn(item as object, PROTO_KEY))) return true;
    level = objects.flatMap((item) => Object.values(item as object));
  }
  return false;
}

/** Control and invisible characters, which JSON can escape. */
const HIDDEN_CHARACTER =
  /[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * Stringifies with control, direction and invisible characters escaped, which is safe to display
 * and parses to the same value.
 */
export function escapeHidden(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN_CHARACTER, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
