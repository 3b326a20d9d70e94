import type { Scope } from "./define-scope.ts";

/**
 * The scopes of a snapshot given as one text, in order and as asked for, quotes taken off.
 * Commas and white space separate. An argument that runs on (that of `query:` until a comma, that
 * of `label:` until a comma or white space) ends where a known scope follows. Quotes group at the
 * start of a scope and after a colon; elsewhere they are letters (`person:O'Brien`).
 */
export function splitScopes(text: string, known: readonly Scope[]): string[] {
  const grammar = grammarOf(known);
  const scopes: string[] = [];
  let rest = text.replace(SEPARATORS, "");
  while (rest !== "") {
    const { scope, length } =
      readGrouped(rest, grammar) ?? readRunOn(rest, grammar) ?? readWord(rest);
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

interface Grammar {
  readonly grouped: RegExp;
  readonly runOnEnds: ReadonlyMap<string, RegExp>;
}

const QUOTED = `"(?:[^"\\\\]|\\\\[^])*"|'[^']*'`;
const SEPARATORS = /^[\s,]+/;

function grammarOf(scopes: readonly Scope[]): Grammar {
  const alone = scopes.filter(({ argument }) => argument === undefined || argument.optional);
  const followed = scopes.filter(({ argument }) => argument !== undefined);
  const oneOf = (some: readonly Scope[]) => some.map(({ name }) => name).join("|");
  const known = `["']?(?:(?:${oneOf(alone)})(?=[\\s,"']|$)|(?:${oneOf(followed)}):)`;
  const ends = {
    comma: new RegExp(`,\\s*(?=${known})`),
    commaOrSpace: new RegExp(`(?:,\\s*|\\s)(?=${known})`),
  };
  return {
    grouped: new RegExp(`^((?:[a-z]+:)*)(${QUOTED})(?=\\s*(?:,|$)|\\s+${known})`),
    runOnEnds: new Map(
      followed.flatMap(({ name, argument }) =>
        argument?.runsOnUntil === undefined ? [] : [[name, ends[argument.runsOnUntil]] as const],
      ),
    ),
  };
}

/** `"label:a=b c"`, `query:"a, pending"`: the quotes say where it ends. */
function readGrouped(text: string, { grouped }: Grammar): Piece | undefined {
  const [matched, prefix = "", quoted] = grouped.exec(text) ?? [];
  if (matched === undefined || quoted === undefined) return undefined;
  return { scope: prefix + unquote(quoted), length: matched.length };
}

function readRunOn(text: string, { runOnEnds }: Grammar): Piece | undefined {
  const end = runOnEnds.get(text.slice(0, Math.max(0, text.indexOf(":"))));
  if (end === undefined) return undefined;
  const length = end.exec(text)?.index ?? text.length;
  return { scope: text.slice(0, length).replace(/[\s,]+$/, ""), length };
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
