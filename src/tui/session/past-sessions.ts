import type { ThreadInfo } from "../../agent/index.ts";
import { stripControlLine } from "../../kernel/strip-control.ts";
import { ageOf } from "../../kernel/time.ts";
import type { SessionPicker } from "../state/screen.ts";

const LONGEST_TITLE = 60;

/** Threads with something in them, without the one on show, latest first. */
export function pastSessions(
  threads: readonly ThreadInfo[],
  current: string | undefined,
): readonly ThreadInfo[] {
  return threads
    .filter((thread) => thread.messageCount > 0 && thread.threadId !== current)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** By its id, or by a beginning that only one has. */
export function findSession(
  threads: readonly ThreadInfo[],
  wanted: string,
): ThreadInfo | undefined {
  const starting = threads.filter(({ threadId }) => threadId.startsWith(wanted));
  const exact = threads.find(({ threadId }) => threadId === wanted);
  return exact ?? (starting.length === 1 ? starting[0] : undefined);
}

export function pickerOf(threads: readonly ThreadInfo[], now: Date): SessionPicker {
  const items = threads.map((thread) => ({
    threadId: thread.threadId,
    title: stripControlLine(thread.title ?? thread.threadId).slice(0, LONGEST_TITLE),
    updatedAt: ageOf(thread.updatedAt, now),
    messageCount: thread.messageCount,
  }));
  return { items, selected: 0 };
}
