import type { ThreadInfo } from "./thread-host.ts";

export type SessionFormat = "markdown" | "html";

/** The sessions of a project, whichever process they were made in. */
export interface SessionStore {
  list(): readonly ThreadInfo[];
  /** Another session with the same conversation so far. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, and conflict when another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** What was said and done, as a document for people. Throws not_found. */
  write(threadId: string, format: SessionFormat): Promise<string>;
}
