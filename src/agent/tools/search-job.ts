import { readFileSync, statSync } from "node:fs";
import { cutLine } from "../../shared/text.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** A file with a zero byte among its first ones is not text. */
const BYTES_THAT_TELL = 8192;
const MAX_LINE_LENGTH = 500;

export type SearchJob =
  | ({ readonly kind: "lines" } & LinesJob)
  | ({ readonly kind: "files" } & FilesJob);

export interface LinesJob {
  readonly lines: readonly string[];
  /** Regular expression that compiles. */
  readonly pattern: string;
  readonly limit: number;
}

export interface FilesJob {
  readonly files: readonly { readonly shown: string; readonly absolute: string }[];
  /** Regular expression that compiles. */
  readonly pattern: string;
  /** Lines shown around each match. */
  readonly context: number;
  readonly maxMatches: number;
}

export function runSearchJob(job: SearchJob): readonly number[] | readonly string[] {
  return job.kind === "lines" ? matchingLines(job) : grepFiles(job);
}

/** Indices of the lines that match, the first `limit`. */
function matchingLines({ lines, pattern, limit }: LinesJob): readonly number[] {
  return matchLines(lines, toExpression(pattern), limit);
}

function matchLines(lines: readonly string[], expression: RegExp, limit: number): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length === limit) break;
    if (expression.test(line)) found.push(index);
  }
  return found;
}

/** Lines `path:line:text`, context as `path-line-text`, groups apart by `--`. */
function grepFiles({ files, pattern, context, maxMatches }: FilesJob): readonly string[] {
  const expression = toExpression(pattern);
  const shownLines: string[] = [];
  let left = maxMatches;
  for (const { shown, absolute } of files) {
    const lines = readLines(absolute);
    const matches = matchLines(lines, expression, left);
    left -= matches.length;
    showMatches(shownLines, { shown, lines, matches, context });
    if (left === 0) return [...shownLines, `(the first ${maxMatches} matches)`];
  }
  return shownLines;
}

interface FileMatches {
  readonly shown: string;
  readonly lines: readonly string[];
  readonly matches: readonly number[];
  readonly context: number;
}

function showMatches(shownLines: string[], { shown, lines, matches, context }: FileMatches): void {
  const matching = new Set(matches);
  let last = -1;
  for (const match of matches) {
    const from = Math.max(last + 1, match - context);
    const isApart = last === -1 || from > last + 1;
    if (context > 0 && shownLines.length > 0 && isApart) shownLines.push("--");
    for (const [offset, line] of lines.slice(from, match + context + 1).entries()) {
      last = from + offset;
      const mark = matching.has(last) ? ":" : "-";
      shownLines.push(`${shown}${mark}${last + 1}${mark}${cutLine(line, MAX_LINE_LENGTH)}`);
    }
  }
}

/** A file that cannot be read, is too large or is not text has no lines. */
function readLines(path: string): readonly string[] {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return [];
    const bytes = readFileSync(path);
    if (bytes.subarray(0, BYTES_THAT_TELL).includes(0)) return [];
    const lines = bytes.toString("utf8").split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  } catch {
    return [];
  }
}

/** By code points where the pattern allows it; a pattern such as `\-` compiles only without. */
function toExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
