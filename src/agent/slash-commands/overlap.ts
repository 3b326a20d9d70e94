import type { OutputOf } from "../../memory/index.ts";

export type CollisionsOf = NonNullable<OutputOf<"remember">["collisions"]>;

/** Share of common words from which two sentences are taken to speak of the same. */
const LEAST_COMMON = 0.5;

/** Whether two sentences share so many words that they may contradict each other, or say the same. */
export function alike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const fewer = Math.min(a.size, b.size);
  if (fewer === 0) return false;
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= 2 && common / fewer >= LEAST_COMMON;
}

/** Words that carry meaning, without their usual endings. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [];
  return new Set(
    words.filter((word) => !SMALL.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")),
  );
}

const SMALL: ReadonlySet<string> = new Set(
  "the and for with that this from are was not but has have our all its when then than into will must should".split(
    " ",
  ),
);
