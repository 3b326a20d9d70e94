import { parseChangeset, parseCompact } from "../../src/memory/changeset/parse-changeset.ts";
import { parseJsonChangeset } from "../../src/memory/changeset/parse-json.ts";
import { tokenize } from "../../src/memory/changeset/tokenize.ts";
import type { Steps } from "../../src/shared/async.ts";

/** Runs a stepwise computation to its end without yielding. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export const parseChangesetSync = (...given: Parameters<typeof parseChangeset>) =>
  runToEnd(parseChangeset(...given));

export const parseCompactSync = (...given: Parameters<typeof parseCompact>) =>
  runToEnd(parseCompact(...given));

export const parseJsonSync = (...given: Parameters<typeof parseJsonChangeset>) =>
  runToEnd(parseJsonChangeset(...given));

export const tokenizeSync = (...given: Parameters<typeof tokenize>) => [...tokenize(...given)];
