import { invalidInput, messageOf } from "../../shared/errors.ts";
import { runWorker } from "./run-worker.ts";
import type { LinesJob, SearchJob } from "./search-job.ts";

const SEARCH_WORKER = new URL("./search.worker.ts", import.meta.url);

/** A pattern that backtracks without end must not stop the whole program; milliseconds. */
const MAX_SEARCH_MS = 5_000;

export interface LineSearch extends LinesJob {
  readonly signal: AbortSignal;
}

/**
 * Indices of the lines that match, the first `limit`. A worker searches, because a regular
 * expression cannot be interrupted otherwise. Throws invalid_input, busy.
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

/** Ranges around the given lines, joined where they meet. */
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
