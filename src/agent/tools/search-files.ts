import { Worker } from "node:worker_threads";
import { CairnError } from "../../kernel/errors.ts";

const MAX_SEARCH_MS = 30_000;

export interface FileSearch {
  readonly files: readonly { readonly shown: string; readonly absolute: string }[];
  /** Regular expression that compiles. */
  readonly pattern: string;
  readonly context: number;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
}

/**
 * Lines `path:line:text`, context as `path-line-text`, groups apart by `--`. Works in a worker:
 * reading a whole project and a costly pattern would hold up every other thread. Throws busy.
 */
export async function searchFiles(search: FileSearch): Promise<readonly string[]> {
  search.signal.throwIfAborted();
  const { signal, ...workerData } = search;
  const worker = new Worker(WORKER, { eval: true, workerData });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => void worker.terminate();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise<readonly string[]>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(
          new CairnError("busy", `The search took longer than ${MAX_SEARCH_MS} ms: narrow it.`),
        );
      }, MAX_SEARCH_MS);
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(signal.reason ?? new Error("The search ended early.")));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}

const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync, statSync } = require("node:fs");
const { files, pattern, context, maxMatches } = workerData;
let expression;
try { expression = new RegExp(pattern, "u"); } catch { expression = new RegExp(pattern); }
const out = [];
let left = maxMatches;
for (const { shown, absolute } of files) {
  const lines = linesOf(absolute);
  const matching = new Set();
  for (let index = 0; index < lines.length && left > 0; index += 1) {
    if (!expression.test(lines[index])) continue;
    matching.add(index);
    left -= 1;
  }
  let last = -1;
  for (const match of matching) {
    const from = Math.max(last + 1, match - context);
    if (context > 0 && out.length > 0 && (last === -1 || from > last + 1)) out.push("--");
    for (let index = from; index <= Math.min(lines.length - 1, match + context); index += 1) {
      const mark = matching.has(index) ? ":" : "-";
      const text = lines[index].length > 500 ? lines[index].slice(0, 500) + "[… cut]" : lines[index];
      out.push(shown + mark + (index + 1) + mark + text);
      last = index;
    }
  }
  if (left === 0) { out.push("(the first " + maxMatches + " matches)"); break; }
}
parentPort.postMessage(out);

function linesOf(path) {
  try {
    if (statSync(path).size > 4 * 1024 * 1024) return [];
    const bytes = readFileSync(path);
    if (bytes.subarray(0, 8192).includes(0)) return [];
    const lines = bytes.toString("utf8").split(/\\r?\\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  } catch {
    return [];
  }
}
`;
