import type { TranscriptRecord } from "../../capture/index.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { passagesOfRecords, takeIn } from "../../sources/index.ts";
import { entriesOfMessage } from "./entries-of-message.ts";

/** The kind of source that sessions of this agent are. */
export const OWN_SESSIONS = "cairn";

export interface KeptSessionOptions {
  /** Undefined where sessions are not kept. */
  readonly memory: Memory | undefined;
  readonly threadId: () => string;
  readonly projectRoot: string;
  readonly logger: Logger;
}

/** Keeps what was said in a thread as passages of a source, a turn at a time. */
export class KeptSession {
  readonly #options: KeptSessionOptions;

  constructor(options: KeptSessionOptions) {
    this.#options = options;
  }

  /** Once a turn has ended. A memory that cannot be written changes nothing for the person. */
  async keep(messages: readonly ModelMessage[], at: string): Promise<void> {
    const { memory, threadId, projectRoot, logger } = this.#options;
    if (memory === undefined) return;
    const records = messages.map(
      (message, index): TranscriptRecord => ({
        id: `${at}/${index}`,
        at,
        entries: entriesOfMessage(message),
      }),
    );
    const passages = passagesOfRecords(records, { cwd: projectRoot, now: at, before: 0 });
    const key = threadId();
    try {
      await takeIn(
        memory,
        { kind: OWN_SESSIONS, key, place: projectRoot, passages },
        { session: key },
      );
    } catch (error) {
      logger.warn(`What was said could not be kept: ${messageOf(error)}`);
    }
  }
}
