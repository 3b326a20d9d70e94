import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { buildSystemPrompt } from "../prompt/build-system-prompt.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { HostServices } from "./host-services.ts";
import { OWN_SESSIONS } from "./thread-memory.ts";

interface ThreadPromptOptions {
  readonly services: HostServices;
  /** Of the thread, known once its record was loaded. */
  readonly prefix: () => string | undefined;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
}

/**
 * The system prompt of a thread, kept until somebody reloads it: providers reuse what they computed
 * for a beginning that stays the same.
 */
export class ThreadPrompt {
  readonly #options: ThreadPromptOptions;
  /** By the names of the tools that the prompt describes. */
  readonly #texts = new Map<string, string>();
  #shown: ReadonlySet<string> = new Set();

  constructor(options: ThreadPromptOptions) {
    this.#options = options;
  }

  async textFor(tools: readonly Tool[], signal: AbortSignal): Promise<string> {
    const key = tools.map(({ name }) => name).join(" ");
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = await this.#build(tools, signal);
    this.#texts.set(key, text);
    return text;
  }

  /** Ids of the memories that the texts hold. */
  get shown(): ReadonlySet<string> {
    return this.#shown;
  }

  reload(): void {
    this.#shown = new Set();
    this.#texts.clear();
  }

  async #build(tools: readonly Tool[], signal: AbortSignal): Promise<string> {
    const { services, emit } = this.#options;
    const prefix = this.#options.prefix();
    const { text, warnings, shown } = await buildSystemPrompt({
      projectRoot: services.projectRoot,
      userConfigDir: services.userConfigDir,
      ...(services.startedIn !== undefined && { startedIn: services.startedIn }),
      settings: services.settings,
      memory: services.memory,
      ownMemory: services.ownMemory,
      fartherMemories: services.fartherMemories,
      explorationTools: await services.explorationTools(),
      tools,
      today: services.clock.now(),
      asker: { client: OWN_SESSIONS, session: this.#options.threadId() },
      signal,
      ...(prefix !== undefined && { prefix }),
    });
    this.#shown = new Set([...this.#shown, ...shown]);
    for (const message of warnings) emit({ type: "status", phase: "info", message });
    return text;
  }
}

/** The history that runs work on, with its gauge: the thread's own, or for a while one beside it. */
export class WorkedHistory {
  #main: History;
  #current: History;
  #gauge = new ContextGauge();

  constructor(main: History) {
    this.#main = main;
    this.#current = main;
  }

  /** The thread's own, which is kept. */
  get main(): History {
    return this.#main;
  }

  get current(): History {
    return this.#current;
  }

  /** Of the current one. */
  get gauge(): ContextGauge {
    return this.#gauge;
  }

  get isMain(): boolean {
    return this.#current === this.#main;
  }

  /** Goes on with what an earlier start kept. */
  restore(history: History): void {
    this.#main = history;
    this.#current = history;
  }

  /** Another model has another window, and counts tokens in its own way. */
  measureAnew(): void {
    this.#gauge = new ContextGauge();
  }

  /** Runs of the body work on an empty history that nobody keeps. */
  async beside<T>(body: () => Promise<T>): Promise<T> {
    const history = this.#current;
    const gauge = this.#gauge;
    this.#current = new History();
    this.#gauge = new ContextGauge();
    try {
      return await body();
    } finally {
      this.#current = history;
      this.#gauge = gauge;
    }
  }
}
