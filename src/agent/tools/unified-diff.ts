import { createTwoFilesPatch } from "diff";

const CONTEXT_LINES = 3;
const MAX_DIFF_MS = 2_000;

export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: MAX_DIFF_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? `--- a/${path}\n+++ b/${path}\n(the whole file changed)\n`;
}
