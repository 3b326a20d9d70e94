import type { AgentEvent, AgentEventBody } from "../ports/events.ts";

const MAX_EVENTS = 2_000;
/** Characters of text, diffs and arguments; about 4 MiB. */
const MAX_WEIGHT = 4 * 1024 * 1024;

export interface EventLogOptions {
  readonly threadId: string;
  readonly lastSeq: number;
  /** Called with every event, in order, before `emit` returns. */
  readonly listener: (event: AgentEvent) => void;
  /** Stores the number for the next start; called before the listener. */
  readonly saveSeq: (seq: number) => void;
}

export class EventLog {
  readonly #options: EventLogOptions;
  readonly #retained: { readonly event: AgentEvent; readonly weight: number }[] = [];
  #weight = 0;
  #seq: number;
  #closed = false;
  runId: string | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#seq = options.lastSeq;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  advanceTo(seq: number): void {
    if (seq <= this.#seq) return;
    this.#seq = seq;
    this.#retained.length = 0;
    this.#weight = 0;
  }

  emit(body: AgentEventBody): void {
    if (this.#closed) return;
    this.#seq += 1;
    const run = this.runId === undefined ? {} : { runId: this.runId };
    const event: AgentEvent = {
      ...body,
      threadId: this.#options.threadId,
      seq: this.#seq,
      ...run,
    };
    this.#retain(event);
    this.#options.saveSeq(this.#seq);
    this.#options.listener(event);
  }

  end(body: AgentEventBody): void {
    this.emit(body);
    this.#closed = true;
  }

  /** Undefined if the first event is no longer buffered. */
  since(sinceSeq: number): readonly AgentEvent[] | undefined {
    if (sinceSeq > this.#seq) return undefined;
    const firstRetained = this.#seq - this.#retained.length + 1;
    if (sinceSeq + 1 < firstRetained) return undefined;
    return this.#retained.slice(sinceSeq + 1 - firstRetained).map(({ event }) => event);
  }

  #retain(event: AgentEvent): void {
    const weight = estimateSize(event);
    this.#retained.push({ event, weight });
    this.#weight += weight;
    if (this.#retained.length <= MAX_EVENTS && this.#weight <= MAX_WEIGHT) return;
    // A tenth at once: removing one by one would copy the array for every event.
    const goal = { events: MAX_EVENTS * 0.9, weight: MAX_WEIGHT * 0.9 };
    let surplus = 0;
    while (
      surplus < this.#retained.length &&
      (this.#retained.length - surplus > goal.events || this.#weight > goal.weight)
    ) {
      this.#weight -= this.#retained[surplus]?.weight ?? 0;
      surplus += 1;
    }
    this.#retained.splice(0, surplus);
  }
}

function estimateSize(event: AgentEvent): number {
  const overhead = 120;
  switch (event.type) {
    case "assistant.delta":
    case "assistant.done":
      return overhead + event.text.length;
    case "tool.call":
      return overhead + JSON.stringify(event.args ?? null).length;
    case "tool.result":
      return (
        overhead + event.summary.length + (event.diff ?? "").length + (event.output ?? "").length
      );
    case "status":
    case "error":
      return overhead + (event.message?.length ?? 0);
    default:
      return overhead;
  }
}
