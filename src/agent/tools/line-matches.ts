import { invalidInput, messageOf } from "../../shared/errors.ts";
import { cutLine } from "../../shared/text.ts";
import { runWorker } from "../../shared/worker.ts";
import { openPinnedFile } from "../documents/pinned-folder.ts";

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** NUL in the first bytes marks a binary file. */
const BINARY_CHECK_BYTES = 8192;
const MAX_LINE_LENGTH = 500;

export type SearchJob =
  | ({ readonly kind: "lines" } & LinesJob)
  | ({ readonly kind: "files" } & FilesJob);

interface LinesJob {
  readonly lines: readonly string[];
  readonly pattern: string;
  readonly limit: number;
}

export interface FilesJob {
  readonly files: readonly { readonly shown: string; readonly absolute: string }[];
  readonly pattern: string;
  readonly context: number;
  readonly maxMatches: number;
}

export async function runSearchJob(job: SearchJob): Promise<readonly number[] | readonly string[]> {
  return job.kind === "lines" ? matchingLines(job) : grepFiles(job);
}

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

async function grepFiles({
  files,
  pattern,
  context,
  maxMatches,
}: FilesJob): Promise<readonly string[]> {
  const expression = toExpression(pattern);
  const shownLines: string[] = [];
  let left = maxMatches;
  for (const { shown, absolute } of files) {
    const lines = await readLines(absolute);
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

/** Appends `path:line:text`, context as `path-line-text`, groups separated by `--`. */
export function showMatches(
  shownLines: string[],
  { shown, lines, matches, context }: FileMatches,
): void {
  const matching = new Set(matches);
  let last = -1;
  for (const match of matches) {
    const from = Math.max(last + 1, match - context);
    const isApart = last === -1 || from > last + 1;
    if (context > 0 && shownLines.length > 0 && isApart) shownLines.push("--");
    for (const [offset, line] of lines.slice(from, match + context + 1).entries()) {
      last = from + offset;
      const separator = matching.has(last) ? ":" : "-";
      shownLines.push(
        `${shown}${separator}${last + 1}${separator}${cutLine(line, MAX_LINE_LENGTH)}`,
      );
    }
  }
}

/**
 * Reads the lines of a file whose real path is known. Returns none if it is unreadable, too large,
 * binary, or no longer at this path.
 */
export async function readLines(realFile: string): Promise<readonly string[]> {
  const file = await openPinnedFile(realFile).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const info = await file.stat();
    if (!info.isFile() || info.size > MAX_FILE_BYTES) return [];
    const bytes = await file.readFile();
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    if (!isUtf16 && bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)) return [];
    const lines = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes).split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  } catch {
    return [];
  } finally {
    await file.close();
  }
}

/** With the `u` flag if possible; a pattern such as `\-` compiles only without. */
function toExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

const SEARCH_WORKER = new URL("./search.worker.ts", import.meta.url);

/** A backtracking pattern must not block the program. */
const MAX_SEARCH_MS = 5_000;

export interface LineSearch extends LinesJob {
  readonly signal: AbortSignal;
}

/**
 * Returns the indices of the first `limit` matching lines. A worker searches, because a regular
 * expression cannot be interrupted. Throws invalid_input, busy.
 */
export async function findMatches(search: LineSearch): Promise<readonly number[]> {
  checkPattern(search.pattern);
  search.signal.throwIfAborted();
  const { lines, pattern, limit } = search;
  if (isPlain(pattern)) return plainMatches(lines, { pattern, limit });
  const found = await runWorker({
    source: SEARCH_WORKER,
    data: { kind: "lines", lines, pattern, limit } satisfies SearchJob,
    signal: search.signal,
    timeoutMs: MAX_SEARCH_MS,
    tooLong: `pattern: no answer within ${MAX_SEARCH_MS} ms; simplify it.`,
  });
  return found as readonly number[];
}

export function mergeRanges(
  matches: readonly number[],
  { context, last }: { readonly context: number; readonly last: number },
): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const match of matches) {
    const from = Math.max(0, match - context);
    const to = Math.min(last, match + context);
    const previous = ranges.at(-1);
    if (previous !== undefined && from <= previous[1] + 1) previous[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

export function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, "u");
  } catch {
    try {
      new RegExp(pattern);
    } catch (error) {
      throw invalidInput(`pattern: ${messageOf(error)}.`);
    }
  }
}

function isPlain(pattern: string): boolean {
  return !/[\\^$.*+?()[\]{}|]/.test(pattern);
}

function plainMatches(
  lines: readonly string[],
  { pattern, limit }: { readonly pattern: string; readonly limit: number },
): readonly number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.includes(pattern)) continue;
    found.push(index);
    if (found.length === limit) break;
  }
  return found;
}
