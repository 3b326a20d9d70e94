import { ScimError } from "./scim-error.ts";

/** Whether a resource, as SCIM shows it, is one that a filter asks for. */
export type Matches = (resource: Readonly<Record<string, unknown>>) => boolean;

type Token = { readonly kind: "word" | "text" | "(" | ")" | "[" | "]"; readonly text: string };

const TOKENS = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/gy;
const LONGEST = 2_000;
const DEEPEST = 20;

/** A filter of SCIM (RFC 7644, 3.4.2.2). Throws ScimError. */
export function parseFilter(text: string): Matches {
  if (text.length > LONGEST) throw bad("is too long");
  const reader = new Reader(tokensOf(text));
  const matches = either(reader, 0);
  if (reader.peek() !== undefined) throw bad("has more than was understood");
  return matches;
}

/** An attribute, in small letters and without its schema, that must have a value. */
export interface AskedFor {
  readonly attribute: string;
  readonly value: string;
}

/**
 * Equalities that hold for whatever a filter finds, as in `userName eq "x" and active eq true`: what
 * directories ask before they make somebody. None for a filter that allows another. Throws ScimError.
 */
export function askedFor(text: string): AskedFor[] {
  const tokens = tokensOf(text);
  const terms: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    const isWord = token.kind === "word" && depth === 0;
    if (isWord && token.text.toLowerCase() === "or") return [];
    if (token.kind === "(" || token.kind === "[") depth += 1;
    if (token.kind === ")" || token.kind === "]") depth -= 1;
    if (isWord && token.text.toLowerCase() === "and") terms.push([]);
    else terms.at(-1)?.push(token);
  }
  return terms.flatMap(([path, operator, value, ...more]) => {
    const isPlain = path?.kind === "word" && value?.kind === "text" && more.length === 0;
    if (!isPlain || operator?.text.toLowerCase() !== "eq") return [];
    const attribute = withoutSchema(path.text).toLowerCase();
    return [{ attribute, value: unquote(value.text) }];
  });
}

class Reader {
  #at = 0;
  readonly #tokens: readonly Token[];
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }
  take(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw bad("ends too early");
    this.#at += 1;
    return token;
  }
  takeIf(text: string): boolean {
    const token = this.peek();
    if (token === undefined || token.kind === "text") return false;
    if (token.text.toLowerCase() !== text) return false;
    this.#at += 1;
    return true;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, quoted, bracket, word] = match;
    end = (match.index ?? 0) + whole.length;
    if (quoted !== undefined) tokens.push({ kind: "text", text: quoted });
    else if (bracket !== undefined) tokens.push({ kind: bracket as "(", text: bracket });
    else tokens.push({ kind: "word", text: word ?? "" });
  }
  if (text.slice(end).trim() !== "") throw bad("has a quote that does not end");
  return tokens;
}

function either(reader: Reader, depth: number): Matches {
  if (depth > DEEPEST) throw bad("is nested too deeply");
  let left = both(reader, depth);
  while (reader.takeIf("or")) {
    const [a, b] = [left, both(reader, depth)];
    left = (resource) => a(resource) || b(resource);
  }
  return left;
}

function both(reader: Reader, depth: number): Matches {
  let left = one(reader, depth);
  while (reader.takeIf("and")) {
    const [a, b] = [left, one(reader, depth)];
    left = (resource) => a(resource) && b(resource);
  }
  return left;
}

function one(reader: Reader, depth: number): Matches {
  if (reader.takeIf("not")) {
    const inner = one(reader, depth + 1);
    return (resource) => !inner(resource);
  }
  if (reader.takeIf("(")) {
    const inner = either(reader, depth + 1);
    if (!reader.takeIf(")")) throw bad("lacks a )");
    return inner;
  }
  const path = reader.take();
  if (path.kind !== "word") throw bad("lacks the name of an attribute");
  if (reader.takeIf("[")) {
    const inner = either(reader, depth + 1);
    if (!reader.takeIf("]")) throw bad("lacks a ]");
    return (resource) =>
      elementsAt(resource, path.text).some((value) => isObject(value) && inner(value));
  }
  return comparison(path.text, reader);
}

function comparison(path: string, reader: Reader): Matches {
  const operator = reader.take().text.toLowerCase();
  if (operator === "pr") return (resource) => valuesAt(resource, path).some(isPresent);
  const compare = COMPARE[operator];
  if (compare === undefined) throw bad(`does not know ${operator.slice(0, 20)}`);
  const wanted = literal(reader.take());
  return (resource) => {
    const values = valuesAt(resource, path);
    // Without a value nothing equals, and everything differs.
    if (operator === "ne") return !values.some((value) => isEqual(value, wanted));
    return values.some((value) => compare(value, wanted));
  };
}

const COMPARE: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  eq: isEqual,
  ne: (value, wanted) => !isEqual(value, wanted),
  co: (value, wanted) => plain(value).includes(plain(wanted)),
  sw: (value, wanted) => plain(value).startsWith(plain(wanted)),
  ew: (value, wanted) => plain(value).endsWith(plain(wanted)),
  gt: (value, wanted) => plain(value) > plain(wanted),
  ge: (value, wanted) => plain(value) >= plain(wanted),
  lt: (value, wanted) => plain(value) < plain(wanted),
  le: (value, wanted) => plain(value) <= plain(wanted),
};

function isEqual(value: unknown, wanted: unknown): boolean {
  return typeof value === "string" && typeof wanted === "string"
    ? plain(value) === plain(wanted)
    : value === wanted;
}

function plain(value: unknown): string {
  return String(value).toLowerCase();
}

function literal(token: Token): unknown {
  if (token.kind === "text") return unquote(token.text);
  if (/^(true|false|null)$/i.test(token.text)) return JSON.parse(token.text.toLowerCase());
  if (/^-?\d+(\.\d+)?$/.test(token.text)) return Number(token.text);
  throw bad("compares with something that is no value");
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw bad("has a text that cannot be read");
  }
}

/** What stands at `name.givenName`, in whatever case; each of several elements. */
function elementsAt(resource: unknown, path: string): unknown[] {
  const names = withoutSchema(path).split(".");
  let values: unknown[] = [resource];
  for (const name of names) {
    values = values.flatMap((value) => {
      if (!isObject(value)) return [];
      const key = Object.keys(value).find((known) => known.toLowerCase() === name.toLowerCase());
      const found = key === undefined ? undefined : value[key];
      return Array.isArray(found) ? found : found === undefined ? [] : [found];
    });
  }
  return values;
}

function withoutSchema(path: string): string {
  return path.replace(/^urn:[^\s]*:(?=[^:]+$)/i, "");
}

/** The same, where an element that has a `value` is compared by that. */
function valuesAt(resource: unknown, path: string): unknown[] {
  return elementsAt(resource, path).map((value) =>
    isObject(value) && "value" in value ? value.value : value,
  );
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== "";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(reason: string): ScimError {
  return new ScimError(400, `filter: ${reason}`, "invalidFilter");
}
