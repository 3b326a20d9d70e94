import type { OutputOf } from "../../../memory/index.ts";
import type { LearningPassage } from "../../learning/index.ts";

type Passage = OutputOf<"get_source">["passages"][number];

/**
 * Prepares passages for learning. After a tool's answer and until the person speaks again, a turn may have
 * read strangers' text and is marked.
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
