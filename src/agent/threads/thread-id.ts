import { invalidInput } from "../../shared/errors.ts";

const THREAD_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the id, which also names files; throws invalid_input. */
export function checkThreadId(threadId: string): string {
  if (typeof threadId === "string" && THREAD_ID.test(threadId)) return threadId;
  throw invalidInput("threadId: 1 to 128 letters, digits, full stops, underscores and hyphens.");
}
