import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { buildSystemPrompt } from "../prompt/build-system-prompt.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { HostServices } from "./host-services.ts";
import { SESSION_CLIENT } from "./thread-memory.ts";

interface ThreadPromptOptions {
  readonly services: HostServices;
  readonly prefix: () => string | undefined;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
}

export class ThreadPrompt {
  readonly #options: ThreadPromptOptions;
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
      outerMemories: services.outerMemories,
      explorationTools: services.explorationTools,
      tools,
      today: services.clock.now(),
      requester: { client: SESSION_CLIENT, session: this.#options.threadId() },
      signal,
      ...(prefix !== undefined && { prefix }),
    });
    this.#shown = new Set([...this.#shown, ...shown]);
    for (const message of warnings) emit({ type: "status", phase: "info", message });
    return text;
  }
}

export class WorkedHistory {
  #main: History;
  #current: History;
  #gauge = new ContextGauge();

  constructor(main: History) {
    this.#main = main;
    this.#current = main;
  }

  get main(): History {
    return this.#main;
  }

  get current(): History {
    return this.#current;
  }

  get gauge(): ContextGauge {
    return this.#gauge;
  }

  get isMain(): boolean {
    return this.#current === this.#main;
  }

  restore(history: History): void {
    this.#main = history;
    this.#current = history;
  }

  /** Another model has another window and tokenizer. */
  remeasure(): void {
    this.#gauge = new ContextGauge();
  }

  async withSeparateHistory<T>(body: () => Promise<T>): Promise<T> {
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
