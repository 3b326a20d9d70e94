import { heldText, mistakesAhead, noteAvoided, noteRepeated } from "../../ingest/capture/index.ts";
import type { Memory, MistakeRecord } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { PermitCall } from "../loop/agent-run.ts";
import type { Permit } from "../permission/permission.ts";
import type { AgentEventBody } from "../ports/events.ts";

export interface HeldCallsOptions {
  /** Undefined where nothing may be read of it. */
  readonly memory: Memory | undefined;
  /** What was avoided is counted. */
  readonly mayWrite: boolean;
  readonly projectRoot: string;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
}

/** Holds a call back, once in a thread, that would make a known mistake again. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** Ids of the mistakes that were told, and whether each was made all the same. */
  readonly #told = new Map<string, "told" | "repeated">();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  /** Asks before whoever decides about calls: nobody is asked about one that is not to be run. */
  before(permit: (call: PermitCall) => Promise<Permit>): (call: PermitCall) => Promise<Permit> {
    return async (call) => {
      const text = await this.#hold(call);
      return text === undefined ? permit(call) : { allowed: false, text };
    };
  }

  async #hold({ tool, input, signal }: PermitCall): Promise<string | undefined> {
    const { memory, projectRoot: cwd, logger } = this.#options;
    if (memory === undefined) return undefined;
    try {
      const call = { tool: tool.name, input };
      const ahead = await mistakesAhead(memory, { call, cwd, signal });
      const news = ahead.filter(({ id }) => !this.#told.has(id));
      if (news.length > 0) return await this.#tell(memory, news);
      for (const { id } of ahead) await this.#repeat(memory, id);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn(`Known mistakes could not be looked up: ${messageOf(error)}`);
    }
    return undefined;
  }

  async #tell(memory: Memory, news: readonly MistakeRecord[]): Promise<string> {
    const { emit, mayWrite, threadId } = this.#options;
    for (const { id } of news) {
      this.#told.set(id, "told");
      if (mayWrite) await noteAvoided(memory, id, `cairn:${threadId()}`);
    }
    const memories = news.map(({ id, content }) => ({ id, text: content }));
    emit({ type: "status", phase: "memory", message: "held back: a known mistake", memories });
    return heldText(news);
  }

  async #repeat(memory: Memory, id: string): Promise<void> {
    if (this.#told.get(id) !== "told") return;
    this.#told.set(id, "repeated");
    const { mayWrite, threadId } = this.#options;
    if (mayWrite) await noteRepeated(memory, id, `cairn:${threadId()}`);
  }
}
