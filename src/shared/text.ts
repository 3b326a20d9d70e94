import { lazy } from "./collections.ts";
import { stateConflict } from "./errors.ts";

/** Loading its tables takes longer than the rest of a short command's text handling. */
const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/**
 * The text, shortened to at most `most` characters (code points) including the ellipsis. It never cuts within
 * what a reader sees as one character, such as an emoji of several code points or an accented letter.
 */
export function shorten(text: string, most: number): string {
  return isLonger(text, most) ? `${truncateText(text, most - 1)}…` : text;
}

/** Puts the text on one line, then shortens it as `shorten` does. */
export function shortenLine(text: string, most: number): string {
  return shorten(text.replace(/\s+/g, " ").trim(), most);
}

export function cutLine(line: string, most: number): string {
  return isLonger(line, most) ? `${truncateText(line, most)}[… cut]` : line;
}

/** The first `most` characters of the text at most. No visible character is cut in two. */
export function truncateText(text: string, most: number): string {
  if (!isLonger(text, most)) return text;
  const beginning = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
  const { index: boundary = 0 } =
    segmenter()
      .segment(text.slice(0, beginning.length + LONGEST_SIGN))
      .containing(beginning.length) ?? {};
  // A visible character longer than `most` has to be cut after all.
  return boundary === 0 ? beginning : text.slice(0, boundary);
}

/** Number of code units after a position can still belong to the visible character before it. */
const LONGEST_SIGN = 64;

function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

/**
 * Makes text of models, tools and files safe to show: no byte of it can move the cursor, change a
 * title, write a clipboard or turn the reading direction. Everything that reaches a screen goes
 * through here, in the plain and JSON output too.
 *
 * Removed: CSI, OSC, DCS and other escape sequences (7 and 8 bit), C0 except newline and tab, DEL,
 * C1, Unicode's direction marks, and characters that no reader sees, in which orders to a model can
 * be hidden: zero-width ones, soft hyphens, tags, and the variation selectors of ideographs.
 * Joiners stay between the characters of scripts and emoji that are written with them. Every carriage return and line separator becomes a newline;
 * half a surrogate pair becomes U+FFFD.
 */
export function stripControl(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(CONTROL_SEQUENCE, "")
    .replace(SHORT_SEQUENCE, "")
    .replace(LINE_BREAK, "\n")
    .replace(CONTROL_CHARACTER, "")
    .replace(INVISIBLE, "")
    .replace(LONE_SURROGATE, "\uFFFD");
}

/** Like `stripControl`, for text that must stay on one line: line breaks and tabs become spaces. */
export function stripControlLine(text: string): string {
  return stripControl(text).replace(/[\n\t]+/g, " ");
}

/**
 * Shows every character that a screen would obey or hide as its number: `\x1b`, `\u{202e}`. It is for text
 * that a person must approve, which may not look like something else.
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

export function firstHidden(text: string): string | undefined {
  const found = text.match(hidden())?.[0];
  return found === undefined ? undefined : showControl(found);
}

/**
 * Splits a stream's text before an escape sequence or surrogate pair that is still incomplete, so that a
 * sequence across two chunks is recognised. `rest` belongs in front of the next chunk and has at most {@link
 * LONGEST_CARRY} characters.
 */
export function splitIncompleteControl(text: string): { ready: string; rest: string } {
  const tail = text.slice(-LONGEST_CARRY);
  const match = INCOMPLETE_TAIL.exec(tail);
  if (match === null) return { ready: text, rest: "" };
  const start = text.length - tail.length + match.index;
  return { ready: text.slice(0, start), rest: text.slice(start) };
}

/** Longer than any sequence that a program sends in good faith. */
export const LONGEST_CARRY = 256;

const UNSAFE =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;
/** OSC, DCS, SOS, PM and APC up to their terminator. A newline ends one that was never closed. */
const STRING_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?/g;
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g;
const SHORT_SEQUENCE = /\x1b[ -/]*[0-~]?/g;
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;
const CONTROL_CHARACTER =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Joiners (U+200C, U+200D) are included only if neither neighbour is Latin, blank or a mark. */
const INVISIBLE =
  /[\xad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\u200c\u200d](?![^\x00-\u024f\u2000-\u206f])|(?<![^\x00-\u024f\u2000-\u206f])[\u200c\u200d]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** Letters and spaces that look like nothing, or like the blank between words. */
const BLANK =
  /\u034f|[\u00a0\u115f\u1160\u1680\u17b4\u17b5\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0]/;
const hidden = lazy(
  () =>
    new RegExp(
      [CONTROL_CHARACTER, INVISIBLE, LONE_SURROGATE, BLANK].map(({ source }) => source).join("|"),
      "gu",
    ),
);
const INCOMPLETE_TAIL =
  /(?:\x1b|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*\x1b?|\x1b[ -/]+|[\ud800-\udbff]|\r)$/;

/** Escapes a text so that a regular expression matches it literally. */
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

/**
 * True if the line is a file name of the diff. A removed line `-- x` and an added line `++ x` look
 * alike.
 */
function isHeader(lines: readonly string[], index: number): boolean {
  return startsFile(lines, index) || startsFile(lines, index - 1);
}

function startsFile(lines: readonly string[], index: number): boolean {
  const [old = "", fresh = "", hunk = ""] = index < 0 ? [] : lines.slice(index, index + 3);
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  return index === 0 || hunk.startsWith("@@ ");
}

/** Text between these lines belongs to cairn; everything else in the file belongs to its owner. */
export const SECTION_BEGIN =
  "<!-- cairn:begin (written by `cairn export --format claude-md`, which replaces it) -->";
export const SECTION_END = "<!-- cairn:end -->";
const BEGIN = /^<!-- cairn:begin\b.*-->[ \t]*\r?$/m;
const END = /^<!-- cairn:end -->[ \t]*\r?$/m;

/**
 * The file with the section replaced, or added at the end. Throws conflict if one of the two marks is
 * missing.
 */
export function withSection(file: string, section: string): string {
  const text = `${SECTION_BEGIN}\n${section.trimEnd()}\n${SECTION_END}`;
  const found = findSection(file);
  if (found === undefined)
    return file.trim() === "" ? `${text}\n` : `${file.trimEnd()}\n\n${text}\n`;
  return `${file.slice(0, found.from)}${text}${file.slice(found.to)}`;
}

export function withoutSection(file: string): string {
  const found = findSection(file);
  return found === undefined ? file : `${file.slice(0, found.from)}${file.slice(found.to)}`;
}

function findSection(file: string): { from: number; to: number } | undefined {
  const begin = BEGIN.exec(file);
  const end = END.exec(file);
  if (begin === null && end === null) return undefined;
  if (begin === null || end === null || end.index < begin.index) {
    throw stateConflict(
      "The file has only one of the lines `<!-- cairn:begin … -->` and `<!-- cairn:end -->`, so the section cannot be located. Restore the other line, or remove both.",
    );
  }
  return { from: begin.index, to: end.index + end[0].length };
}

/**
 * Makes text from outside safe to store and to send on: half a surrogate pair becomes U+FFFD, NUL characters and
 * byte order marks are removed, and every line ends with `\n`. Every reader of text from clients, files, tools and
 * services calls it once, before anything else looks at the text. `keepsLineEnds` leaves `\r` as it is.
 */
export function toWellFormedText(
  text: string,
  { keepsLineEnds = false }: { readonly keepsLineEnds?: boolean } = {},
): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  const cleaned = /[\0\uFEFF]/.test(whole) ? whole.replace(/[\0\uFEFF]/g, "") : whole;
  return keepsLineEnds || !cleaned.includes("\r") ? cleaned : cleaned.replace(/\r\n?/g, "\n");
}

/**
 * Makes every string and key of a JSON value well-formed; line ends stay. Returns the value itself if all are. The
 * value must not be nested deeper than the stack allows: check it with `isNestedDeeper` first.
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
