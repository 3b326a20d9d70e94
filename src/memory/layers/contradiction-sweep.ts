import { withTimeout, yieldToEventLoop } from "../../shared/async.ts";
import type { Logger } from "../../shared/logger.ts";
import { PATIENCE_MS, warningOf } from "../recall/unread-layer.ts";
import type { FartherMemory } from "../search/prepare-context.ts";
import { sweepStep } from "./sweep-farther.ts";
import type { SweptMemory } from "./swept-memory.ts";

interface SweepParts {
  readonly nearer: SweptMemory;
  readonly farther: () => readonly FartherMemory[];
  readonly logger: Logger;
}

/**
 * Finds what of a memory contradicts a farther layer where no write looked for it: in what was imported, in large
 * changesets, and in what was written in the farther layer. It works in steps beside the calls of others and goes on
 * where it was, in whichever process.
 */
export class ContradictionSweep {
  readonly #parts: SweepParts;
  readonly #closing = new AbortController();
  #work: Promise<number> | undefined;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** Until nothing is left to look at; resolves to the number of contradictions that it found. */
  run(): Promise<number> {
    this.#work ??= this.#sweep().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work?.catch(() => undefined);
  }

  async #sweep(): Promise<number> {
    const { nearer, farther, logger } = this.#parts;
    const layers = farther();
    if (layers.length === 0 || !(await nearer.isThere())) return 0;
    let found = 0;
    for (const layer of layers) {
      try {
        found += await this.#sweepLayer(layer);
      } catch (error) {
        if (this.#closing.signal.aborted) return found;
        logger.warn(
          `${nearer.name} is not held against it yet: ${warningOf(layer.name, error).message}`,
        );
      }
    }
    if (found > 0) logger.info(`${nearer.name}: ${found} contradictions with farther layers found`);
    return found;
  }

  async #sweepLayer(layer: FartherMemory): Promise<number> {
    let found = 0;
    if (!(await withTimeout({ patienceMs: PATIENCE_MS }, () => layer.isThere()))) return 0;
    while (!this.#closing.signal.aborted) {
      const step = await sweepStep(this.#parts.nearer, layer);
      found += step.found;
      if (!step.isMore) break;
      await yieldToEventLoop();
    }
    return found;
  }
}
