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
  return text.replace(/\r\n/g, "\n").replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    return code < 256 ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits}}`;
  });
}

/** The first character that a screen would not show as it is, in the form of {@link showControl}. */
export function firstHidden(text: string): string | undefined {
  const found = text.match(HIDDEN)?.[0];
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
const HIDDEN = new RegExp(
  [CONTROL_CHARACTER, INVISIBLE, LONE_SURROGATE, BLANK].map(({ source }) => source).join("|"),
  "gu",
);
const INCOMPLETE_TAIL =
  /(?:\x1b|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*\x1b?|\x1b[ -/]+|[\ud800-\udbff]|\r)$/;
