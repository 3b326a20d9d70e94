import type { Line, Span, Style } from "../text/style.ts";

const COMMENT: Style = { color: "gray", italic: true };
const STRING: Style = { color: "green" };
const NUMBER: Style = { color: "magenta" };
const KEYWORD: Style = { color: "blue" };

const KEYWORDS = new Set(
  (
    "abstract and as assert async await begin bool break case catch char class const continue crate def " +
    "default defer del delete do done echo elif else elsif end enum esac except export extends extern " +
    "false fi final finally float fn for from func function go goto if impl implements import in " +
    "inline instanceof int interface is lambda let local loop long match mod module mut namespace new " +
    "nil not null or package pass private protected pub public raise readonly ref rescue return self " +
    "short static string struct super switch template then this throw throws trait true try type " +
    "typedef typeof undefined union unless unsafe until use using var virtual void volatile when where " +
    "while with yield None True False SELECT FROM WHERE INSERT UPDATE DELETE CREATE TABLE AND OR NOT NULL"
  ).split(" "),
);
/** Languages with `#` comments. */
const HASH_COMMENTS =
  /^(?:py|python|sh|bash|zsh|shell|console|rb|ruby|yaml|yml|toml|ini|make|r|perl|dockerfile|conf)/;
const UNTOUCHED = /^(?:|text|txt|plain|plaintext|md|markdown|log|output)$/;
const TOKEN =
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|(?:^|(?<=\s))#.*|(?:^|(?<=\s))--\s.*)|(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`?)|(?<number>\b(?:0x[\da-f]+|\d+(?:\.\d+)?)\b)|(?<word>[A-Za-z_]\w*)/gi;
/** Longer lines are data. */
const LONGEST_LINE = 1000;

/** Highlights one line; only the first line of a multi-line comment is colored. */
export function highlightLine(text: string, language: string): Line {
  if (UNTOUCHED.test(language) || text.length > LONGEST_LINE) return [{ text }];
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const style = tokenStyle(match, language);
    if (style === undefined) continue;
    if (match.index > end) spans.push({ text: text.slice(end, match.index) });
    spans.push({ text: match[0], style });
    end = match.index + match[0].length;
    if (style === COMMENT && /^[#-]/.test(match[0])) break;
  }
  if (end < text.length) spans.push({ text: text.slice(end) });
  return spans;
}

function tokenStyle(match: RegExpMatchArray, language: string): Style | undefined {
  const { comment, string, number, word } = match.groups ?? {};
  if (comment !== undefined) {
    if (comment.startsWith("#")) return HASH_COMMENTS.test(language) ? COMMENT : undefined;
    if (comment.startsWith("--"))
      return /^(?:sql|lua|haskell|hs)$/.test(language) ? COMMENT : undefined;
    return HASH_COMMENTS.test(language) ? undefined : COMMENT;
  }
  if (string !== undefined) return STRING;
  if (number !== undefined) return NUMBER;
  return word !== undefined && KEYWORDS.has(word) ? KEYWORD : undefined;
}
