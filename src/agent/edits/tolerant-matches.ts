import { diffArrays, diffChars } from "diff";

export interface SearchReading {
  readonly searched: string;
  readonly replacement: string;
}

export interface Replacement {
  /** Offsets in the plain text; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /**
   * The model's version of the part, of equal length, if it differs from the file: only its changes
   * to `text` are applied.
   */
  readonly takenFor?: string;
}

/** Longer texts are replaced as a whole; characters. */
const MAX_COMPARED = 20_000;
const MAX_COMPARE_MS = 500;

export function alignedReplacement(plain: string, match: Replacement): readonly Replacement[] {
  const there = plain.slice(match.from, match.to);
  const takenFor = match.takenFor ?? there;
  if (match.takenFor === undefined || takenFor.length > MAX_COMPARED)
    return [trimLines(there, match)];
  const changes = diffChars(takenFor, match.text, { timeout: MAX_COMPARE_MS });
  if (changes === undefined) return [match];
  const pieces: Replacement[] = [];
  let at = match.from;
  for (const change of changes) {
    if (change.added) pieces.push({ from: at, to: at, text: change.value });
    else {
      const to = at + change.value.length;
      if (change.removed) pieces.push({ from: at, to, text: "" });
      at = to;
    }
  }
  return pieces;
}

function trimLines(there: string, { from, to, text }: Replacement): Replacement {
  const shorter = Math.min(there.length, text.length);
  let head = 0;
  while (head < shorter && there[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && there.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) };
}

/** Maps one indentation to another; undefined if no single rule applies. */
function indentationShift(
  there: readonly string[],
  requested: readonly string[],
): ((lines: readonly string[]) => readonly string[] | undefined) | undefined {
  const pairs = there
    .map((line, index) => [matchIndent(requested[index] ?? ""), matchIndent(line), line] as const)
    .filter(([, , line]) => line.trim() !== "")
    .map(([from, to]) => [from, to] as const);
  const known = new Map(pairs);
  if (pairs.some(([from, to]) => known.get(from) !== to)) return undefined;
  const rule = findAddition(pairs) ?? findRemoval(pairs) ?? findExchange(pairs);
  return (lines) => {
    const shifted = lines.map((line) => {
      if (line.trim() === "") return line;
      const from = matchIndent(line);
      const to = known.get(from) ?? rule?.(from);
      return to === undefined ? undefined : to + line.slice(from.length);
    });
    return shifted.every((line) => line !== undefined) ? shifted : undefined;
  };
}

type LinePairs = readonly (readonly [from: string, to: string])[];
type Rule = (indent: string) => string | undefined;

function matchIndent(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The file's lines have an additional prefix. */
function findAddition(pairs: LinePairs): Rule | undefined {
  const [from, to] = pairs[0] ?? ["", ""];
  if (!to.endsWith(from)) return undefined;
  const more = to.slice(0, to.length - from.length);
  if (!pairs.every(([a, b]) => b === more + a)) return undefined;
  return (indent) => more + indent;
}

/** The file's lines lack a prefix. */
function findRemoval(pairs: LinePairs): Rule | undefined {
  const [from, to] = pairs[0] ?? ["", ""];
  if (!from.endsWith(to)) return undefined;
  const less = from.slice(0, from.length - to.length);
  if (!pairs.every(([a, b]) => a === less + b)) return undefined;
  return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : undefined);
}

const TAB_WIDTHS = [2, 4, 8, 3];

/** Tabs instead of blanks, or the reverse, or another width. */
function findExchange(pairs: LinePairs): Rule | undefined {
  const units = ["\t", ...TAB_WIDTHS.map((width) => " ".repeat(width))];
  for (const from of units) {
    for (const to of units) {
      if (from === to) continue;
      const rule: Rule = (indent) => diffSteps(indent, from, to);
      if (pairs.every(([a, b]) => rule(a) === b)) return rule;
    }
  }
  return undefined;
}

function diffSteps(indent: string, from: string, to: string): string | undefined {
  const count = indent.length / from.length;
  return indent === from.repeat(Math.floor(count)) ? to.repeat(count) : undefined;
}

export interface Matcher {
  readonly find: (plain: string, reading: SearchReading) => readonly Replacement[];
  /** Message to the model if the match is not exact. */
  readonly note?: string;
}

/** From the strictest to the most tolerant; the first match decides. */
export const MATCHERS: readonly Matcher[] = [
  { find: findExact },
  {
    find: findWithPlainQuotes,
    note: "Quotes, dashes or spaces of old_text differ from the file's, which were preserved.",
  },
  {
    find: (plain, reading) => findByLines(plain, reading, sameButTrailing),
    note: "Trailing spaces differ from old_text; unchanged lines were preserved.",
  },
  {
    find: (plain, reading) => findByLines(plain, reading, sameButIndented),
    note: "The indentation of old_text differs from the file's; new_text was indented like the file.",
  },
];

function findExact(
  plain: string,
  { searched, replacement }: SearchReading,
): readonly Replacement[] {
  return occurrences(plain, searched).map((from) => ({
    from,
    to: from + searched.length,
    text: replacement,
  }));
}

function findWithPlainQuotes(
  plain: string,
  { searched, replacement }: SearchReading,
): readonly Replacement[] {
  const found = occurrences(replaceTypographicSigns(plain), replaceTypographicSigns(searched));
  return found.map((from) => {
    const to = from + searched.length;
    return { from, to, text: replacement, takenFor: searched };
  });
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  if (part === "") return found;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    found.push(at);
  }
  return found;
}

/** One character for each, so that offsets stay the same. */
function replaceTypographicSigns(text: string): string {
  return text
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Returns the adapted new lines; undefined if the lines differ. */
type Comparison = (lines: ComparedLines) => readonly string[] | undefined;

interface ComparedLines {
  readonly fileLines: readonly string[];
  readonly searched: readonly string[];
  readonly replacement: readonly string[];
}

function findByLines(
  plain: string,
  reading: SearchReading,
  compare: Comparison,
): readonly Replacement[] {
  const lines = plain.split("\n");
  const searchedLines = wholeLines(reading.searched);
  const replacement = wholeLines(reading.replacement);
  if (searchedLines.every((line) => line.trim() === "")) return [];
  const isDeletion = reading.replacement === "";
  const starts = lineOffsets(lines);
  const found: Replacement[] = [];
  for (let first = 0; first + searchedLines.length <= lines.length; first += 1) {
    const fileLines = lines.slice(first, first + searchedLines.length);
    const fitted = compare({ fileLines, searched: searchedLines, replacement });
    if (fitted === undefined) continue;
    const from = starts[first] ?? 0;
    const last = from + fileLines.join("\n").length;
    const takesNewline = isDeletion && reading.searched.endsWith("\n") && last < plain.length;
    const text = isDeletion
      ? ""
      : keepUnchanged({ fileLines, searched: searchedLines, replacement }, fitted).join("\n");
    found.push({ from, to: last + (takesNewline ? 1 : 0), text });
    first += searchedLines.length - 1;
  }
  return found;
}

function wholeLines(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

function lineOffsets(lines: readonly string[]): readonly number[] {
  let next = 0;
  return lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
}

function keepUnchanged(lines: ComparedLines, fitted: readonly string[]): readonly string[] {
  const retained: string[] = [];
  let old = 0;
  let next = 0;
  for (const change of diffArrays([...lines.searched], [...lines.replacement])) {
    const count = change.value.length;
    if (change.added) retained.push(...fitted.slice(next, next + count));
    else if (!change.removed) retained.push(...lines.fileLines.slice(old, old + count));
    if (!change.removed) next += count;
    if (!change.added) old += count;
  }
  return retained;
}

function sameButTrailing({ fileLines, searched, replacement }: ComparedLines) {
  return fileLines.every((line, index) => areLinesEqual(line.trimEnd(), searched[index]?.trimEnd()))
    ? replacement
    : undefined;
}

function sameButIndented({ fileLines, searched, replacement }: ComparedLines) {
  if (!fileLines.every((line, index) => areLinesEqual(line.trim(), searched[index]?.trim())))
    return undefined;
  return indentationShift(fileLines, searched)?.(replacement);
}

function areLinesEqual(line: string, requested: string | undefined): boolean {
  return (
    requested !== undefined && replaceTypographicSigns(line) === replaceTypographicSigns(requested)
  );
}
