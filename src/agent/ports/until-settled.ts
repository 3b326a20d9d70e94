import { setTimeout as wait } from "node:timers/promises";
import type { ThreadHost } from "./thread-host.ts";

/** A command that asks no model sends no `idle`, so its end is looked for. */
const LOOK_MS = 25;

/** Resolves when a thread works on nothing and has no message waiting; a question is not the end. */
export async function untilSettled(host: ThreadHost, threadId: string): Promise<void> {
  await until(() => stateOf(host, threadId) === "settled");
}

export async function untilTurn(host: ThreadHost, threadId: string): Promise<void> {
  await until(() => stateOf(host, threadId) !== "busy");
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(LOOK_MS);
}

function stateOf(host: ThreadHost, threadId: string): "busy" | "asking" | "settled" {
  const info = host.list().find((thread) => thread.threadId === threadId);
  if (info === undefined) return "settled";
  if (info.pendingPrompt !== undefined) return "asking";
  return (info.isBusy ?? info.isRunning) || info.queued > 0 ? "busy" : "settled";
}
