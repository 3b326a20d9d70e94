import { Counter, Gauge, type Registry } from "prom-client";
import type { PlaceState } from "../../memory/index.ts";

export interface PlaceSource {
  state(): Promise<PlaceState>;
}

/** Connections to a server of databases and how its replicas do; nothing where they are files. */
export class PlaceMetrics {
  readonly #source: PlaceSource;
  readonly #connections: Gauge<"state">;
  readonly #waiting: Gauge;
  readonly #isUp: Gauge<"replica">;
  readonly #reads: Counter<"replica">;
  readonly #lagBytes: Gauge<"replica">;
  readonly #lagSeconds: Gauge<"replica">;

  constructor(source: PlaceSource, registers: Registry[]) {
    this.#source = source;
    this.#connections = new Gauge({
      name: "cairn_pool_connections",
      help: "Connections to the database server, by whether one is in use.",
      labelNames: ["state"],
      registers,
    });
    this.#waiting = new Gauge({
      name: "cairn_pool_waiting",
      help: "Transactions that wait for a connection.",
      registers,
    });
    const ofReplica = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ["replica"] as const, registers });
    this.#isUp = ofReplica("cairn_replica_up", "Whether the replica answered just now.");
    this.#reads = new Counter({
      name: "cairn_replica_reads_total",
      help: "Reads that the replica has answered.",
      labelNames: ["replica"],
      registers,
    });
    this.#lagBytes = ofReplica("cairn_replica_lag_bytes", "Log that it has not replayed yet.");
    this.#lagSeconds = ofReplica(
      "cairn_replica_lag_seconds",
      "Age of the last change that it has replayed; 0 when it has replayed all.",
    );
  }

  async refresh(): Promise<void> {
    const { pool, replicas } = await this.#source.state();
    const ofReplicas = [this.#isUp, this.#reads, this.#lagBytes, this.#lagSeconds];
    for (const gauge of [this.#connections, this.#waiting, ...ofReplicas]) gauge.reset();
    if (pool === undefined) this.#waiting.remove();
    else {
      this.#connections.set({ state: "idle" }, pool.idle);
      this.#connections.set({ state: "used" }, pool.total - pool.idle);
      this.#waiting.set(pool.waiting);
    }
    for (const { replica, isUp, reads, lagBytes, lagSeconds } of replicas) {
      const labels = { replica };
      this.#isUp.set(labels, isUp ? 1 : 0);
      this.#reads.inc(labels, reads);
      if (lagBytes !== undefined) this.#lagBytes.set(labels, lagBytes);
      if (lagSeconds !== undefined) this.#lagSeconds.set(labels, lagSeconds);
    }
  }
}
