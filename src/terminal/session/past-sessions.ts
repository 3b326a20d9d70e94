import type { ThreadInfo } from "../../agent/index.ts";
import { stripControlLine } from "../../shared/text.ts";
import { formatAge } from "../../shared/time.ts";
import type { Picker } from "../state/screen.ts";

const MAX_TITLE_CHARACTERS = 60;

/** Lists non-empty threads except the current one, latest first. */
export function listPastSessions(
  threads: readonly ThreadInfo[],
  current: string | undefined,
): readonly ThreadInfo[] {
  return threads
    .filter((thread) => thread.messageCount > 0 && thread.threadId !== current)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** Finds the session, or its archived thread after `/clear`. */
export function findLastWithMessages(
  threads: readonly ThreadInfo[],
  target: ThreadInfo,
): ThreadInfo {
  let info = target;
  for (let steps = 0; info.messageCount === 0 && steps < threads.length; steps += 1) {
    const parent = threads.find(({ threadId }) => threadId === info.parent);
    if (parent === undefined) break;
    info = parent;
  }
  return info;
}

export function createPicker(threads: readonly ThreadInfo[], now: Date): Picker {
  const items = threads.map((thread) => ({
    id: thread.threadId,
    label: stripControlLine(thread.title ?? thread.threadId).slice(0, MAX_TITLE_CHARACTERS),
    detail: `${formatAge(thread.updatedAt, now)} · ${thread.messageCount} messages`,
  }));
  return { kind: "sessions", items, all: items, query: "", selected: 0 };
}
