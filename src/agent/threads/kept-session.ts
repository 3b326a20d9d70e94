import type { TranscriptRecord } from "../../ingest/capture/index.ts";
import { keptText, learnedLine } from "../../ingest/capture/index.ts";
import { learnFromSources, passagesOfRecords, takeIn } from "../../ingest/sources/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { entriesOfMessage } from "./entries-of-message.ts";

/** The kind of source that sessions of this agent are. */
export const OWN_SESSIONS = "cairn";

export interface KeptSessionOptions {
  /** Undefined where sessions are not kept. */
  readonly memory: Memory | undefined;
  readonly threadId: () => string;
  readonly projectRoot: string;
  readonly logger: Logger;
  readonly emit: (event: AgentEventBody) => void;
  /** What a person said is kept without being asked about; else all that is learned waits. */
  readonly accepts: boolean;
}

/** Keeps what was said in a thread as passages of a source, a turn at a time. */
export class KeptSession {
  readonly #options: KeptSessionOptions;
  /** Of the passages that this process has kept; undefined where nothing is new since it learned. */
  #unlearned: string | undefined;

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
      const source = { kind: OWN_SESSIONS, key, place: projectRoot, passages };
      const added = await takeIn(memory, source, { session: key });
      if (added > 0) this.#unlearned = key;
    } catch (error) {
      logger.warn(`What was said could not be kept: ${messageOf(error)}`);
    }
  }

  /** Once a session is over: what it taught, and nobody has taken up yet, is kept or waits. */
  async learn(): Promise<void> {
    const { memory, accepts, logger, emit } = this.#options;
    const key = this.#unlearned;
    if (memory === undefined || key === undefined) return;
    this.#unlearned = undefined;
    try {
      const { sources } = await memory.execute("list_sources", {
        kind: OWN_SESSIONS,
        key,
        limit: 1,
      });
      const [source] = sources;
      if (source === undefined) return;
      const { kept, changes } = await learnFromSources(memory, {
        accept: accepts ? "auto" : "ask",
        source: source.id,
        run: key,
      });
      const [change] = changes;
      if (kept.length === 0 || change === undefined) return;
      const memories = kept.map(({ id, content: text }) => ({ id, text }));
      const message = learnedLine(keptText(kept), change);
      emit({ type: "status", phase: "learned", message, memories });
    } catch (error) {
      logger.warn(`What the session taught could not be kept: ${messageOf(error)}`);
    }
  }
}
