import {
  CHANGESET_START,
  type ChangesetIssue,
  type ChangesetStart,
  malformedIssue,
} from "./parsed-op.ts";

export interface Token {
  readonly value: string;
  /** True if the whole word is quoted, apart from escaped characters (`'it'\''s'`). */
  readonly quoted: boolean;
  /** Text before the first unquoted `=` if it is a key: `key="quoted value"`. */
  readonly key: string | undefined;
  readonly line: number;
}

export interface TokenizedOp {
  readonly line: number;
  readonly tokens: readonly Token[];
  /** Reason why parsing of this op stopped. */
  readonly issue?: ChangesetIssue;
}

/**
 * Splits a compact changeset into ops and words. Quoting follows Python's shlex in POSIX mode,
 * except that `\n` inside double quotes is a newline. An unquoted line break ends the op; a line
 * that begins with `#` is a comment.
 */
export function* tokenize(
  text: string,
  { op, line }: ChangesetStart = CHANGESET_START,
): Generator<TokenizedOp, undefined> {
  const source: Source = { text: text.replace(/^\uFEFF/, ""), at: 0, line };
  for (let opIndex = op; skipToOp(source); opIndex += 1) yield readOp(source, opIndex);
}

interface Source {
  readonly text: string;
  at: number;
  line: number;
}

const BLANK_CHARACTERS = new Set([" ", "\t", "\r"]);
const KEY_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

function skipToOp(source: Source): boolean {
  while (source.at < source.text.length) {
    const char = peek(source);
    if (char === "#") skipLine(source);
    else if (char === "\n" || BLANK_CHARACTERS.has(char)) advance(source);
    else return true;
  }
  return false;
}

function readOp(source: Source, opIndex: number): TokenizedOp {
  const line = source.line;
  const tokens: Token[] = [];
  while (skipBlanks(source)) {
    const token = readToken(source);
    if ("value" in token) {
      tokens.push(token);
      continue;
    }
    const position = { op_index: opIndex, line: token.line, op: tokens[0]?.value ?? "" };
    skipLine(source);
    return { line, tokens, issue: malformedIssue(position, token.reason) };
  }
  return { line, tokens };
}

interface Unreadable {
  readonly line: number;
  readonly reason: string;
}

function readToken(source: Source): Token | Unreadable {
  const line = source.line;
  const startsQuoted = /["']/.test(peek(source));
  let value = "";
  let key: string | undefined;
  let bare = false;
  let opaque = false;
  while (source.at < source.text.length) {
    const char = peek(source);
    if (char === "\n" || BLANK_CHARACTERS.has(char)) break;
    if (char === '"' || char === "'") {
      const opened = source.line;
      const inner = readQuoted(source, char);
      if (inner === undefined) {
        return { line: opened, reason: unclosedQuote(char, opened) };
      }
      value += inner;
      opaque = true;
      continue;
    }
    if (char === "\\") {
      advance(source);
      if (isLineEnd(source)) {
        return { line: source.line, reason: DANGLING_BACKSLASH_MESSAGE };
      }
      value += advance(source);
      opaque = true;
      continue;
    }
    if (char === "=" && !opaque && key === undefined && KEY_PATTERN.test(value)) key = value;
    value += advance(source);
    bare = true;
  }
  return { value, quoted: startsQuoted && !bare, key, line };
}

const DANGLING_BACKSLASH_MESSAGE =
  "A backslash does not continue a line. Write the op on one line; only quoted text may span lines.";

function unclosedQuote(quote: string, line: number): string {
  const other = quote === "'" ? "double" : "single";
  return `The ${quote} quote that opens on line ${line} is never closed. Close it, or put text that contains a ${quote} in ${other} quotes.`;
}

/** Returns the quoted text; undefined if the closing quote is missing. */
function readQuoted(source: Source, quote: '"' | "'"): string | undefined {
  advance(source);
  let value = "";
  while (source.at < source.text.length) {
    value += readPlain(source, quote);
    const char = advance(source);
    if (char === quote) return value;
    if (char === "\\") value += readEscape(source);
  }
  return undefined;
}

function readPlain(source: Source, quote: '"' | "'"): string {
  const ends = quote === '"' ? ['"', "\\"] : ["'"];
  const found = ends.map((end) => source.text.indexOf(end, source.at)).filter((at) => at !== -1);
  const run = source.text.slice(source.at, Math.min(...found, source.text.length));
  source.at += run.length;
  source.line += run.split("\n").length - 1;
  return run;
}

/** Keeps the backslash unless it escapes `"` or `\` or forms a newline. */
function readEscape(source: Source): string {
  const next = peek(source);
  if (next === '"' || next === "\\") return advance(source);
  if (next !== "n") return "\\";
  advance(source);
  return "\n";
}

function skipBlanks(source: Source): boolean {
  while (BLANK_CHARACTERS.has(peek(source))) advance(source);
  return source.at < source.text.length && peek(source) !== "\n";
}

function skipLine(source: Source): void {
  while (source.at < source.text.length && peek(source) !== "\n") advance(source);
}

function isLineEnd(source: Source): boolean {
  return (
    source.at >= source.text.length || /^\r?\n/.test(source.text.slice(source.at, source.at + 2))
  );
}

function peek(source: Source): string {
  return source.text.charAt(source.at);
}

function advance(source: Source): string {
  const char = peek(source);
  source.at += 1;
  if (char === "\n") source.line += 1;
  return char;
}
