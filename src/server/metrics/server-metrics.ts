import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CallerLimit } from "../../shared/caller.ts";
import type { AnsweredRequest } from "../http/index.ts";
import { MemoryMetrics, type MetricsSource } from "./memory-metrics.ts";
import { PlaceMetrics, type PlaceSource } from "./place-metrics.ts";

export interface ServerMetricsOptions {
  readonly store: MetricsSource & PlaceSource;
  readonly version: string;
  readonly sessions: () => number;
  /** CPU, memory and event loop of the process: for who has it alone. */
  readonly ofProcess: boolean;
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Seconds: from a look-up by index to a changeset of thousands. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class ServerMetrics {
  readonly contentType: string;
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #durations: Histogram<"method" | "route">;
  readonly #overLimit: Counter<"limit">;
  readonly #memory: MemoryMetrics;
  readonly #place: PlaceMetrics;

  constructor({ store, version, sessions, ofProcess }: ServerMetricsOptions) {
    const registers = [this.#registry];
    this.contentType = this.#registry.contentType;
    this.#requests = new Counter({
      name: "cairn_http_requests_total",
      help: "Requests that were answered.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "cairn_http_request_duration_seconds",
      help: "Time until an answer began.",
      labelNames: ["method", "route"],
      buckets: BUCKETS,
      registers,
    });
    this.#overLimit = new Counter({
      name: "cairn_over_limit_total",
      help: "Requests and writes that were refused because their caller had had as many as they may.",
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
      help: "MCP sessions that are open.",
      registers,
      collect() {
        this.set(sessions());
      },
    });
    this.#memory = new MemoryMetrics(store, registers);
    this.#place = new PlaceMetrics(store, registers);
    if (ofProcess) collectDefaultMetrics({ register: this.#registry });
  }

  observe({ method: given, route, status, seconds }: AnsweredRequest): void {
    const method = METHODS.includes(given) ? given : "other";
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, seconds);
  }

  refusedOver(limit: CallerLimit): void {
    this.#overLimit.inc({ limit });
  }

  async text(): Promise<string> {
    await Promise.all([this.#memory.refresh(), this.#place.refresh()]);
    return this.#registry.metrics();
  }
}
