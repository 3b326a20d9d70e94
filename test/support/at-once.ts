import { parseChangeset, parseCompact } from "../../src/memory/changeset/parse-changeset.ts";
import { parseJsonChangeset } from "../../src/memory/changeset/parse-json.ts";
import { tokenize } from "../../src/memory/changeset/tokenize.ts";
import type { Steps } from "../../src/shared/async.ts";

/** Runs a stepwise computation to its end without yielding. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export const parsedAtOnce = (...given: Parameters<typeof parseChangeset>) =>
  atOnce(parseChangeset(...given));

export const compactAtOnce = (...given: Parameters<typeof parseCompact>) =>
  atOnce(parseCompact(...given));

export const jsonAtOnce = (...given: Parameters<typeof parseJsonChangeset>) =>
  atOnce(parseJsonChangeset(...given));

export const tokenizedAtOnce = (...given: Parameters<typeof tokenize>) => [...tokenize(...given)];
