import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type BackendState, ChangeFeed, type MemoryEngine } from "../../memory/index.ts";
import type { ObservedResponse } from "../http/index.ts";

interface BackendSource {
  state(): Promise<BackendState>;
}

/** Metrics of database server connections; none for SQLite. */
export class BackendMetrics {
  readonly #source: BackendSource;
  readonly #connections: Gauge<"state">;
  readonly #waiting: Gauge;

  constructor(source: BackendSource, registers: Registry[]) {
    this.#source = source;
    this.#connections = new Gauge({
      name: "cairn_pool_connections",
      help: "Connections to the database server, by whether one is in use.",
      labelNames: ["state"],
      registers,
    });
    this.#waiting = new Gauge({
      name: "cairn_pool_waiting",
      help: "Transactions waiting for a connection.",
      registers,
    });
  }

  async refresh(): Promise<void> {
    const { pool } = await this.#source.state();
    for (const gauge of [this.#connections, this.#waiting]) gauge.reset();
    if (pool === undefined) this.#waiting.remove();
    else {
      this.#connections.set({ state: "idle" }, pool.idle);
      this.#connections.set({ state: "used" }, pool.total - pool.idle);
      this.#waiting.set(pool.waiting);
    }
  }
}

interface MetricsSource {
  /** The default database. */
  open(): MemoryEngine;
  /** Recently used databases. */
  inUse(): readonly MemoryEngine[];
}

/**
 * Metrics of the default database and those in use, collected on request so that they are available
 * right after startup.
 */
class MemoryMetrics {
  readonly #source: MetricsSource;
  readonly #isUp: Gauge<"database">;
  readonly #position: Gauge<"database">;
  readonly #pending: Gauge<"database">;

  constructor(source: MetricsSource, registers: Registry[]) {
    this.#source = source;
    const labelNames = ["database"] as const;
    this.#isUp = new Gauge({
      name: "cairn_database_up",
      help: "1 if the database was readable at the last check, else 0.",
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
      help: "Items without a vector.",
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

export interface ServerMetricsOptions {
  readonly store: MetricsSource & BackendSource;
  readonly version: string;
  readonly sessions: () => number;
  /** Includes CPU, memory and event loop metrics of the process. */
  readonly ofProcess: boolean;
}

const KNOWN_METHODS: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

/** Seconds, from an index lookup to a changeset of thousands. */
const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

export class ServerMetrics {
  readonly contentType: string;
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #durations: Histogram<"method" | "route">;
  readonly #overLimit: Counter<"limit">;
  readonly #memory: MemoryMetrics;
  readonly #location: BackendMetrics;

  constructor({ store, version, sessions, ofProcess }: ServerMetricsOptions) {
    const registers = [this.#registry];
    this.contentType = this.#registry.contentType;
    this.#requests = new Counter({
      name: "cairn_http_requests_total",
      help: "Number of requests.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "cairn_http_request_duration_seconds",
      help: "Time to the first byte of the response.",
      labelNames: ["method", "route"],
      buckets: DURATION_BUCKETS_SECONDS,
      registers,
    });
    this.#overLimit = new Counter({
      name: "cairn_over_limit_total",
      help: "Requests rejected by rate limits.",
      labelNames: ["limit"],
      registers,
    });
    new Gauge({
      name: "cairn_build_info",
      help: "1, with the version.",
      labelNames: ["version"],
      registers,
    }).set({ version }, 1);
    new Gauge({
      name: "cairn_mcp_sessions",
      help: "Open MCP sessions.",
      registers,
      collect() {
        this.set(sessions());
      },
    });
    this.#memory = new MemoryMetrics(store, registers);
    this.#location = new BackendMetrics(store, registers);
    if (ofProcess) collectDefaultMetrics({ register: this.#registry });
  }

  observe({ method: value, route, status, seconds }: ObservedResponse): void {
    const method = KNOWN_METHODS.includes(value) ? value : "other";
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, seconds);
  }

  countOverLimit(): void {
    this.#overLimit.inc({ limit: "requests_per_minute" });
  }

  async text(): Promise<string> {
    await Promise.all([this.#memory.refresh(), this.#location.refresh()]);
    return this.#registry.metrics();
  }
}
