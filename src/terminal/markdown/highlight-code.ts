import type { Line, Span, Style } from "../text/style.ts";

const COMMENT_STYLE: Style = { color: "gray", italic: true };
const STRING_STYLE: Style = { color: "green" };
const NUMBER_STYLE: Style = { color: "magenta" };
const KEYWORD_STYLE: Style = { color: "blue" };

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
const HASH_COMMENT_LANGUAGE =
  /^(?:py|python|sh|bash|zsh|shell|console|rb|ruby|yaml|yml|toml|ini|make|r|perl|dockerfile|conf)/;
const PLAIN_LANGUAGE = /^(?:|text|txt|plain|plaintext|md|markdown|log|output)$/;
const TOKEN_PATTERN =
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|(?:^|(?<=\s))#.*|(?:^|(?<=\s))--\s.*)|(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`?)|(?<number>\b(?:0x[\da-f]+|\d+(?:\.\d+)?)\b)|(?<word>[A-Za-z_]\w*)/gi;
/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 1000;

/** Highlights one line; only the first line of a multi-line comment is colored. */
export function highlightLine(text: string, language: string): Line {
  if (PLAIN_LANGUAGE.test(language) || text.length > MAX_LINE_CHARACTERS) return [{ text }];
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN_PATTERN)) {
    const style = tokenStyle(match, language);
    if (style === undefined) continue;
    if (match.index > end) spans.push({ text: text.slice(end, match.index) });
    spans.push({ text: match[0], style });
    end = match.index + match[0].length;
    if (style === COMMENT_STYLE && /^[#-]/.test(match[0])) break;
  }
  if (end < text.length) spans.push({ text: text.slice(end) });
  return spans;
}

function tokenStyle(match: RegExpMatchArray, language: string): Style | undefined {
  const { comment, string, number, word } = match.groups ?? {};
  if (comment !== undefined) {
    if (comment.startsWith("#"))
      return HASH_COMMENT_LANGUAGE.test(language) ? COMMENT_STYLE : undefined;
    if (comment.startsWith("--"))
      return /^(?:sql|lua|haskell|hs)$/.test(language) ? COMMENT_STYLE : undefined;
    return HASH_COMMENT_LANGUAGE.test(language) ? undefined : COMMENT_STYLE;
  }
  if (string !== undefined) return STRING_STYLE;
  if (number !== undefined) return NUMBER_STYLE;
  return word !== undefined && KEYWORDS.has(word) ? KEYWORD_STYLE : undefined;
}
