import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AgentEvent } from "../ports/events.ts";

type Listener = (event: AgentEvent) => void;

/** Whoever hears the events of all threads of a host. */
export class EventListeners {
  readonly #listeners = new Set<Listener>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Returns the unsubscribe. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One that fails keeps the event from nobody else. */
  publish(event: AgentEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#logger.error(`A listener failed: ${messageOf(error)}`);
      }
    }
  }
}
