import type { LearningPassage } from "../../learning/index.ts";
import type { OutputOf } from "../../memory/index.ts";

type Passage = OutputOf<"get_source">["passages"][number];

/**
 * What was said, for those who learn from it. From a tool's answer on until the person speaks again a
 * turn may have read what strangers wrote.
 */
export function learningPassagesOf(passages: readonly Passage[]): LearningPassage[] {
  let hasReadForeign = false;
  return passages.map(({ id, role, by, text, occurred_at: at, files }) => {
    const speaker = role !== "turn" ? "tool" : by === "user" ? "user" : "assistant";
    if (speaker === "tool") hasReadForeign = true;
    if (speaker === "user") hasReadForeign = false;
    return { id, by: speaker, text, at, files, hasReadForeign };
  });
}
