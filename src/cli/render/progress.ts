import type { Progress } from "../../memory/index.ts";
import type { CommandLine } from "../command-line.ts";

/** Shorter work shows no progress. */
const SILENT_MS = 1000;
const REDRAW_MS = 100;
const BAR_WIDTH = 24;

/** Shows progress on a terminal's stderr once `work` takes over a second. */
export async function withProgress<T>(
  line: CommandLine,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  let drawnAt = 0;
  const onProgress = (progress: Progress) => {
    const now = Date.now();
    if (line.stderr.isTTY !== true || now - started < SILENT_MS) return;
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    line.stderr.write(`\r${drawProgress(progress)}\x1b[K`);
  };
  try {
    return await work(onProgress);
  } finally {
    if (drawnAt > 0) line.stderr.write("\r\x1b[K");
  }
}

export function drawProgress({ stage, done, total }: Progress): string {
  if (total <= 0) return `${stage} ${done}`;
  const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
  return `${stage} ${"━".repeat(filled)}${"─".repeat(BAR_WIDTH - filled)} ${done} of ${total}`;
}
