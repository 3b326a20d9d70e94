import { Gauge, type Registry } from "prom-client";
import { ChangeFeed, type MemoryEngine } from "../../memory/index.ts";

export interface MetricsSource {
  /** The database that is asked when none is named. */
  open(): MemoryEngine;
  /** The databases that were used last. */
  inUse(): readonly MemoryEngine[];
}

/**
 * State of the server's own database and of those that it has in use, read when somebody asks: one
 * that was started a moment ago, and was asked for nothing yet, tells of its own all the same.
 */
export class MemoryMetrics {
  readonly #source: MetricsSource;
  readonly #isUp: Gauge<"database">;
  readonly #position: Gauge<"database">;
  readonly #pending: Gauge<"database">;

  constructor(source: MetricsSource, registers: Registry[]) {
    this.#source = source;
    const labelNames = ["database"] as const;
    this.#isUp = new Gauge({
      name: "cairn_database_up",
      help: "Whether the database could be read just now.",
      labelNames,
      registers,
    });
    this.#position = new Gauge({
      name: "cairn_feed_position",
      help: "Sequence number of the newest event.",
      labelNames,
      registers,
    });
    this.#pending = new Gauge({
      name: "cairn_vectors_pending",
      help: "Items that wait for a vector.",
      labelNames,
      registers,
    });
  }

  async refresh(): Promise<void> {
    for (const gauge of [this.#isUp, this.#position, this.#pending]) gauge.reset();
    const memories = new Set([this.#source.open(), ...this.#source.inUse()]);
    for (const memory of memories) await this.#measure(memory);
  }

  async #measure(memory: MemoryEngine): Promise<void> {
    const labels = { database: memory.name };
    try {
      if (!(await memory.isThere())) return;
      this.#position.set(labels, await new ChangeFeed(memory).position());
      this.#pending.set(labels, await memory.vectors.countPending());
      this.#isUp.set(labels, 1);
    } catch {
      this.#isUp.set(labels, 0);
    }
  }
}
