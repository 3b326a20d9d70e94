import { lazy } from "./collections.ts";
import { stateConflict } from "./errors.ts";

/** Loading its tables is slow compared to a short command. */
const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/**
 * Truncates to at most `limit` code points including the ellipsis, without splitting a visible
 * character.
 */
export function shorten(text: string, limit: number): string {
  return isLonger(text, limit) ? `${truncateText(text, limit - 1)}…` : text;
}

/** Like `shorten`, on one line. */
export function shortenLine(text: string, limit: number): string {
  return shorten(text.replace(/\s+/g, " ").trim(), limit);
}

export function cutLine(line: string, limit: number): string {
  return isLonger(line, limit) ? `${truncateText(line, limit)}[… cut]` : line;
}

/** Truncates to at most `limit` code points without splitting a visible character. */
export function truncateText(text: string, limit: number): string {
  if (!isLonger(text, limit)) return text;
  const beginning = Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join("");
  const { index: boundary = 0 } =
    segmenter()
      .segment(text.slice(0, beginning.length + MAX_CLUSTER_UNITS))
      .containing(beginning.length) ?? {};
  // A visible character longer than `limit` must be split.
  return boundary === 0 ? beginning : text.slice(0, boundary);
}

/** Maximum code units searched for the end of a visible character. */
const MAX_CLUSTER_UNITS = 64;

function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || Array.from(text).length > limit;
}

/**
 * Makes text from models, tools and files safe to display: it cannot move the cursor, change a
 * title, write the clipboard or reverse reading direction. All displayed text passes through here,
 * including plain and JSON output.
 *
 * Removes CSI, OSC, DCS and other escape sequences (7- and 8-bit), C0 except newline and tab, DEL,
 * C1, Unicode direction marks, and invisible characters that could hide instructions to a model:
 * zero-width characters, soft hyphens, tags, and variation selectors of ideographs. Preserves
 * joiners in scripts and emoji that need them. Carriage returns and line separators become
 * newlines; lone surrogates become U+FFFD.
 */
export function stripControl(text: string): string {
  if (!UNSAFE_CHARACTER.test(text)) return text;
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(CONTROL_SEQUENCE, "")
    .replace(SHORT_SEQUENCE, "")
    .replace(LINE_BREAK, "\n")
    .replace(CONTROL_CHARACTER, "")
    .replace(INVISIBLE_CHARACTER, "")
    .replace(LONE_SURROGATE, "\uFFFD");
}

/** Like `stripControl`, with line breaks and tabs replaced by spaces. */
export function stripControlLine(text: string): string {
  return stripControl(text).replace(/[\n\t]+/g, " ");
}

/**
 * Escapes control and invisible characters (`\x1b`, `\u{202e}`), for text that the user must
 * approve exactly.
 */
export function showControl(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(hidden(), (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    return code < 256 ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits}}`;
  });
}

/** Escapes text that must stay on one line, such as a path: `showControl`, and a line break becomes `\n`. */
export function showControlLine(text: string): string {
  return showControl(text).replaceAll("\n", "\\n");
}

export function findHiddenCharacter(text: string): string | undefined {
  const found = text.match(hidden())?.[0];
  return found === undefined ? undefined : showControl(found);
}

/**
 * Splits off an incomplete escape sequence or surrogate pair at the end of a chunk. Prepend `rest`,
 * at most {@link MAX_CARRIED_CHARACTERS} characters, to the next chunk.
 */
export function splitIncompleteControl(text: string): { ready: string; rest: string } {
  const tail = text.slice(-MAX_CARRIED_CHARACTERS);
  const match = INCOMPLETE_SEQUENCE.exec(tail);
  if (match === null) return { ready: text, rest: "" };
  const start = text.length - tail.length + match.index;
  return { ready: text.slice(0, start), rest: text.slice(start) };
}

/** Longer than any legitimate sequence. */
export const MAX_CARRIED_CHARACTERS = 256;

const UNSAFE_CHARACTER =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;
/** OSC, DCS, SOS, PM and APC up to their terminator; a newline ends an unclosed one. */
const STRING_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?/g;
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g;
const SHORT_SEQUENCE = /\x1b[ -/]*[0-~]?/g;
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;
const CONTROL_CHARACTER =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Joiners (U+200C, U+200D) match only if neither neighbor is Latin, blank or a mark. */
const INVISIBLE_CHARACTER =
  /[\xad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\u200c\u200d](?![^\x00-\u024f\u2000-\u206f])|(?<![^\x00-\u024f\u2000-\u206f])[\u200c\u200d]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** Letters and spaces that render blank. */
const BLANK_CHARACTER =
  /\u034f|[\u00a0\u115f\u1160\u1680\u17b4\u17b5\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0]/;
const hidden = lazy(
  () =>
    new RegExp(
      [CONTROL_CHARACTER, INVISIBLE_CHARACTER, LONE_SURROGATE, BLANK_CHARACTER]
        .map(({ source }) => source)
        .join("|"),
      "gu",
    ),
);
const INCOMPLETE_SEQUENCE =
  /(?:\x1b|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*\x1b?|\x1b[ -/]+|[\ud800-\udbff]|\r)$/;

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  const changed = lines.filter((_, index) => !isHeader(lines, index));
  return {
    added: changed.filter((line) => line.startsWith("+")).length,
    removed: changed.filter((line) => line.startsWith("-")).length,
  };
}

/** A removed line `-- x` and an added line `++ x` look like file headers. */
function isHeader(lines: readonly string[], index: number): boolean {
  return isFileHeader(lines, index) || isFileHeader(lines, index - 1);
}

function isFileHeader(lines: readonly string[], index: number): boolean {
  const [old = "", fresh = "", hunk = ""] = index < 0 ? [] : lines.slice(index, index + 3);
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  return index === 0 || hunk.startsWith("@@ ");
}

/** cairn owns the text between these lines. */
export const SECTION_BEGIN =
  "<!-- cairn:begin (written by `cairn export --format claude-md`, which replaces it) -->";
export const SECTION_END = "<!-- cairn:end -->";
const SECTION_BEGIN_LINE = /^<!-- cairn:begin\b.*-->[ \t]*\r?$/m;
const SECTION_END_LINE = /^<!-- cairn:end -->[ \t]*\r?$/m;

/** Replaces or appends the section. Throws conflict if one of the markers is missing. */
export function replaceSection(file: string, section: string): string {
  const text = `${SECTION_BEGIN}\n${section.trimEnd()}\n${SECTION_END}`;
  const found = findSection(file);
  if (found === undefined)
    return file.trim() === "" ? `${text}\n` : `${file.trimEnd()}\n\n${text}\n`;
  return `${file.slice(0, found.from)}${text}${file.slice(found.to)}`;
}

export function removeSection(file: string): string {
  const found = findSection(file);
  return found === undefined ? file : `${file.slice(0, found.from)}${file.slice(found.to)}`;
}

function findSection(file: string): { from: number; to: number } | undefined {
  const begin = SECTION_BEGIN_LINE.exec(file);
  const end = SECTION_END_LINE.exec(file);
  if (begin === null && end === null) return undefined;
  if (begin === null || end === null || end.index < begin.index) {
    throw stateConflict(
      "The file has only one of the lines `<!-- cairn:begin … -->` and `<!-- cairn:end -->`, so the section cannot be located. Restore the other line, or remove both.",
    );
  }
  return { from: begin.index, to: end.index + end[0].length };
}

/**
 * Makes external text safe to store and forward: lone surrogates become U+FFFD; NUL and byte order
 * marks are removed; line endings become `\n` unless `keepsLineEnds`. Every reader of external text
 * calls it first.
 */
export function toWellFormedText(
  text: string,
  { keepsLineEnds = false }: { readonly keepsLineEnds?: boolean } = {},
): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  const cleaned = /[\0\uFEFF]/.test(wellFormed)
    ? wellFormed.replace(/[\0\uFEFF]/g, "")
    : wellFormed;
  return keepsLineEnds || !cleaned.includes("\r") ? cleaned : cleaned.replace(/\r\n?/g, "\n");
}

/**
 * Makes every string and key of a JSON value well-formed and preserves line ends. Returns the value
 * itself if nothing changes. Recursive: check the nesting with `isNestedDeeper` first.
 */
export function toWellFormedJson<Value>(value: Value): Value {
  if (typeof value === "string") return toWellFormedText(value, { keepsLineEnds: true }) as Value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => toWellFormedJson(item));
    return (items.some((item, index) => item !== value[index]) ? items : value) as Value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const cleaned = entries.map(
    ([key, item]) => [toWellFormedJson(key), toWellFormedJson(item)] as const,
  );
  const isSame = cleaned.every(
    ([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1],
  );
  return isSame ? value : (Object.fromEntries(cleaned) as Value);
}

/** Quotes a text as one word of a POSIX shell, unless it consists of harmless characters. */
export function shellWord(text: string): string {
  return /^[\w.,:=/@+-]+$/.test(text) ? text : quoteForShell(text);
}

/** Quotes a text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
