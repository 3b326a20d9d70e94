import type { ModelMessage } from "../../llm/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { HeldCalls } from "./held-calls.ts";
import type { HostServices } from "./host-services.ts";
import { KeptSession, OWN_SESSIONS } from "./kept-session.ts";
import { Offers } from "./offers.ts";
import { Recollection } from "./recollection.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { TurnMistakes } from "./turn-mistakes.ts";

interface ThreadMemoryOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly emit: (event: AgentEventBody) => void;
  /** Ids of what the system prompt told already. */
  readonly shownAtStart: () => ReadonlySet<string>;
}

/** What memory does in a thread: what goes with a message, what is held back, what is learned. */
export class ThreadMemory {
  /** What goes with each message and call. */
  readonly recollection: Recollection;
  /** Calls that would make a known mistake again. */
  readonly held: HeldCalls;
  /** What a person is asked to keep. */
  readonly offers: Offers;
  /** What was said, kept as a source. */
  readonly kept: KeptSession;
  /** Mistakes that a turn shows. */
  readonly mistakes: TurnMistakes;
  readonly #services: HostServices;

  constructor({ services, record, emit, shownAtStart }: ThreadMemoryOptions) {
    const { memory, logger, projectRoot, keepsSessions, keepsCorrections, settings } = services;
    const threadId = () => record.state.threadId;
    const mayWrite = settings.memory === "on";
    const shared = { memory, mayWrite, projectRoot, threadId, emit, logger };
    this.#services = services;
    this.recollection = new Recollection({
      ...{ memory, logger, emit, told: shownAtStart },
      ownSource: () => ({ kind: OWN_SESSIONS, key: threadId() }),
    });
    this.held = new HeldCalls(shared);
    this.mistakes = new TurnMistakes(shared);
    const shown = () => this.recollection.shown;
    this.offers = new Offers({ ...shared, keepsCorrections, shown });
    this.kept = new KeptSession({
      memory: keepsSessions ? memory : undefined,
      ...{ threadId, projectRoot, logger, emit, accepts: keepsCorrections },
    });
  }

  /** After a turn that a person began with `typed`: keeps it, and learns of it. */
  async learnFrom(
    said: readonly ModelMessage[],
    typed: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.kept.keep(said, toTimestamp(this.#services.clock.now()));
    await this.mistakes.keep(said, typed);
    await this.offers.make(said, signal);
  }
}
