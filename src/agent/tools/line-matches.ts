import { Worker } from "node:worker_threads";
import { CairnError, invalidInput, messageOf } from "../../kernel/errors.ts";

/** A pattern that backtracks without end must not stop the whole program; milliseconds. */
const MAX_SEARCH_MS = 5_000;

export interface LineSearch {
  readonly lines: readonly string[];
  /** Regular expression. */
  readonly pattern: string;
  readonly limit: number;
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
  const worker = new Worker(WORKER, { eval: true, workerData: { lines, pattern, limit } });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => void worker.terminate();
  search.signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise<readonly number[]>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(
          new CairnError("busy", `pattern: no answer within ${MAX_SEARCH_MS} ms; simplify it.`),
        );
      }, MAX_SEARCH_MS);
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(search.signal.reason ?? new Error("the search ended")));
    });
  } finally {
    clearTimeout(timer);
    search.signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
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

const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { lines, pattern, limit } = workerData;
let expression;
try { expression = new RegExp(pattern, "u"); } catch { expression = new RegExp(pattern); }
const found = [];
for (let index = 0; index < lines.length && found.length < limit; index += 1) {
  if (expression.test(lines[index])) found.push(index);
}
parentPort.postMessage(found);
`;
