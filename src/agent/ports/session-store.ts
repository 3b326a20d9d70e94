import type { ModelMessage } from "../../llm/index.ts";
import type { ThreadInfo } from "./thread-host.ts";

/** The sessions of a project, whichever process they were made in. */
export interface SessionStore {
  list(): readonly ThreadInfo[];
  /** Another session with the same conversation so far. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, and conflict when another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** What was said, as it was sent to the model. Throws not_found. */
  messages(threadId: string): Promise<readonly ModelMessage[]>;
}
