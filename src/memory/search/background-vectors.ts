import type { Logger } from "../../shared/logger.ts";
import type { StaleTexts } from "./stale-texts.ts";
import type { VectorService } from "./vector-service.ts";

export class BackgroundVectors {
  readonly #texts: StaleTexts;
  readonly #vectors: VectorService;
  readonly #logger: Logger;
  readonly #closing = new AbortController();
  #work: Promise<unknown> | undefined;

  constructor(parts: { texts: StaleTexts; vectors: VectorService; logger: Logger }) {
    this.#texts = parts.texts;
    this.#vectors = parts.vectors;
    this.#logger = parts.logger;
  }

  start(): void {
    const { signal } = this.#closing;
    this.#work ??= this.#texts
      .refreshAll(signal)
      .then(() => this.#vectors.makeMissing({ signal }))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#logger.warn(String(error));
      })
      .finally(() => {
        this.#work = undefined;
      });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
  }
}
