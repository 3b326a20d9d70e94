import { invalidInput } from "../../shared/errors.ts";
import { cutLine } from "../../shared/text.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import { commonLineEnd, splitLines, withoutEchoes } from "./split-lines.ts";
import {
  alignedReplacement,
  MATCHERS,
  type Replacement,
  type SearchReading,
} from "./tolerant-matches.ts";

const MAX_COMPARISONS = 2_000_000;
const MIN_SIMILARITY = 0.4;
const MAX_SHOWN = 24;
const CONTEXT_LINES = 1;
const MAX_LENGTH = 200;

/** Returns the most similar lines, numbered; undefined if none is similar. */
function nearestLines(plain: string, requested: string): string | undefined {
  const lines = plain.split("\n");
  const sought = requested
    .split("\n")
    .map((line) => createBigrams(line))
    .filter((pairs) => pairs.size > 0);
  if (sought.length === 0 || lines.length * sought.length > MAX_COMPARISONS) return undefined;
  const pairs = lines.map(createBigrams);
  let best = { first: -1, ratio: 0 };
  for (let first = 0; first < lines.length; first += 1) {
    let sum = 0;
    for (const [offset, line] of sought.entries()) {
      const other = pairs[first + offset];
      if (other !== undefined) sum += similarity(line, other);
    }
    if (sum / sought.length > best.ratio) best = { first, ratio: sum / sought.length };
  }
  if (best.ratio < MIN_SIMILARITY) return nearestSingle(lines, pairs, sought);
  return show(lines, best.first - CONTEXT_LINES, best.first + sought.length + CONTEXT_LINES);
}

function nearestSingle(
  lines: readonly string[],
  pairs: readonly ReadonlySet<string>[],
  sought: readonly ReadonlySet<string>[],
): string | undefined {
  const scores = pairs.map((line) => Math.max(...sought.map((other) => similarity(line, other))));
  const highest = scores.reduce((limit, score) => Math.max(limit, score), 0);
  if (highest < 2 * MIN_SIMILARITY) return undefined;
  const at = scores.indexOf(highest);
  return show(lines, at - 2 * CONTEXT_LINES, at + 1 + 2 * CONTEXT_LINES);
}

function show(lines: readonly string[], from: number, to: number): string {
  const first = Math.max(0, from);
  const excerpt = lines.slice(first, Math.min(to, first + MAX_SHOWN));
  return excerpt
    .map((line, offset) => `${first + offset + 1}|${cutLine(line, MAX_LENGTH)}`)
    .join("\n");
}

function createBigrams(line: string): ReadonlySet<string> {
  const text = line
    .replace(/\s+/g, "")
    .slice(0, 2 * MAX_LENGTH)
    .toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  if (text.length === 1) pairs.add(text);
  return pairs;
}

/** Dice coefficient, 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}

export interface SearchReplace {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

/**
 * Replaces `old_text` literally; it must occur once unless `replace_all` is set. If it does not
 * occur exactly, tolerant matching changes only what differs. Keeps the file's line ends. Throws
 * invalid_input with the most similar lines, or all occurrences.
 */
export function searchReplace(text: string, edit: SearchReplace): EditOutcome {
  const file = toPlainFile(text);
  const searched = normalizeLineBreaks(edit.old_text);
  const replacement = normalizeLineBreaks(edit.new_text);
  for (const reading of listReadings(searched, replacement)) {
    for (const { find, note } of MATCHERS) {
      const found = find(file.plain, reading);
      if (found.length === 0) continue;
      if (found.length > 1 && edit.replace_all !== true) throw ambiguousError(file.plain, found);
      const notes = [reading.note, note].filter((note) => note !== undefined);
      return { text: file.replace(found), notes };
    }
  }
  throw notFoundError(file.plain, { searched: searched, replacement });
}

function* listReadings(
  searched: string,
  replacement: string,
): Generator<SearchReading & { readonly note?: string }> {
  yield { searched: searched, replacement };
  const anywhere = { first: Number(/\d+/.exec(searched)?.[0] ?? 1), lines: [] };
  const bare = withoutEchoes(searched, anywhere);
  if (bare !== undefined) {
    yield {
      searched: bare,
      replacement: withoutEchoes(replacement, anywhere) ?? replacement,
      note: "Line numbers and anchors in old_text and new_text were removed.",
    };
  }
  const decoded = withoutEscapes(searched);
  const isSure = findEscapes(replacement).every((sign) => findEscapes(searched).includes(sign));
  if (decoded !== searched && decoded.trim() !== "" && isSure) {
    yield {
      searched: decoded,
      replacement: withoutEscapes(replacement),
      note: "old_text and new_text were escaped once too often; that was undone.",
    };
  }
}

const ESCAPE_SEQUENCE = /\\([ntr"'\\/`$])/g;
const ESCAPED_CHARACTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "",
  '"': '"',
  "'": "'",
};

function findEscapes(text: string): readonly string[] {
  return [...text.matchAll(ESCAPE_SEQUENCE)].map(([, sign = ""]) => sign);
}

/** Removes a second level of JSON escapes. */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, (_all, sign: string) => ESCAPED_CHARACTERS[sign] ?? sign);
}

interface PlainFile {
  readonly plain: string;
  replace(found: readonly Replacement[]): string;
}

function toPlainFile(text: string): PlainFile {
  const lines = splitLines(text);
  const end = commonLineEnd(lines);
  const plain = lines.map((line) => line.text + (line.end === "" ? "" : "\n")).join("");
  // Offset in the plain text of each line that lost a carriage return.
  const shortened: number[] = [];
  let offset = 0;
  for (const line of lines) {
    offset += line.text.length + (line.end === "" ? 0 : 1);
    if (line.end === "\r\n") shortened.push(offset - 1);
  }
  const inFile = (at: number) => at + countBefore(shortened, at);
  return {
    plain,
    replace: (found) => {
      let result = "";
      let next = 0;
      for (const one of found.flatMap((match) => alignedReplacement(plain, match))) {
        result += text.slice(next, inFile(one.from)) + one.text.replaceAll("\n", end);
        next = inFile(one.to);
      }
      return result + text.slice(next);
    },
  };
}

function countBefore(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function normalizeLineBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function ambiguousError(plain: string, found: readonly Replacement[]): Error {
  const numbers = found.map(({ from }) => plain.slice(0, from).split("\n").length);
  const listed = numbers.slice(0, 20).join(", ") + (numbers.length > 20 ? ", …" : "");
  return invalidInput(
    `old_text occurs ${found.length} times, on the lines ${listed}. Nothing was changed: give more ` +
      "of the lines around the one that is meant, or set replace_all.",
  );
}

function notFoundError(plain: string, { searched, replacement }: SearchReading): Error {
  const lines: string[] = ["old_text is not in the file. Nothing was changed."];
  if (replacement.trim().length > 3 && plain.includes(replacement)) {
    const at = plain.slice(0, plain.indexOf(replacement)).split("\n").length;
    lines.push(`new_text already occurs on line ${at}; the change may have been made before.`);
  } else if (/^\s*((\/\/|#|--|\/\*|<!--)\s*)?(\.\.\.|…)/m.test(searched)) {
    lines.push('"..." does not match omitted lines: old_text must contain every line.');
  }
  const nearest = nearestLines(plain, searched);
  if (nearest === undefined) lines.push("Read the file and try again.");
  else lines.push(`Closest match:\n${nearest}`);
  return invalidInput(lines.join(" "));
}
