import { SCOPE_NAMES } from "./scope-names.ts";

/**
 * The scopes of a snapshot given as one text, in order and as asked for, quotes taken off.
 * Commas and white space separate. `query:` runs on until a comma and `label:` until a comma or
 * white space, where a known scope follows. Quotes group at the start of a scope and after a
 * colon; elsewhere they are letters (`person:O'Brien`).
 */
export function splitScopes(text: string): string[] {
  const scopes: string[] = [];
  let rest = text.replace(SEPARATORS, "");
  while (rest !== "") {
    const { scope, length } = readGrouped(rest) ?? readRunOn(rest) ?? readWord(rest);
    scopes.push(scope);
    rest = rest.slice(length).replace(SEPARATORS, "");
  }
  return scopes;
}

interface Piece {
  readonly scope: string;
  /** Characters of the text that it took. */
  readonly length: number;
}

const QUOTED = `"(?:[^"\\\\]|\\\\[^])*"|'[^']*'`;
const KNOWN = `["']?(?:(?:${names("never", "optional")})(?=[\\s,"']|$)|(?:${names("optional", "required")}):)`;
const SEPARATORS = /^[\s,]+/;
const GROUPED = new RegExp(`^((?:[a-z]+:)*)(${QUOTED})(?=\\s*(?:,|$)|\\s+${KNOWN})`);
const RUN_ON_END = {
  query: new RegExp(`,\\s*(?=${KNOWN})`),
  label: new RegExp(`(?:,\\s*|\\s)(?=${KNOWN})`),
};

/** `"label:a=b c"`, `query:"a, pending"`: the quotes say where it ends. */
function readGrouped(text: string): Piece | undefined {
  const [matched, prefix = "", quoted] = GROUPED.exec(text) ?? [];
  if (matched === undefined || quoted === undefined) return undefined;
  return { scope: prefix + unquote(quoted), length: matched.length };
}

function readRunOn(text: string): Piece | undefined {
  const name = /^(query|label):/.exec(text)?.[1];
  if (name !== "query" && name !== "label") return undefined;
  const end = RUN_ON_END[name].exec(text)?.index ?? text.length;
  return { scope: text.slice(0, end).replace(/[\s,]+$/, ""), length: end };
}

function readWord(text: string): Piece {
  const word = new RegExp(`^(?:(?<![^:])(?:${QUOTED})|[^\\s,])+`).exec(text)?.[0] ?? text;
  const scope = word.replace(new RegExp(`(?<![^:])(?:${QUOTED})`, "g"), unquote);
  return { scope, length: word.length };
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  return inner.replace(/\\([\\"n])/g, (_escape, char: string) => (char === "n" ? "\n" : char));
}

function names(...kinds: readonly string[]): string {
  return Object.entries(SCOPE_NAMES)
    .filter(([, kind]) => kinds.includes(kind))
    .map(([name]) => name)
    .join("|");
}
