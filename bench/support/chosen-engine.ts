import type { Embedder } from "../../src/embedding/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";
import { listMissingGraphs } from "../../src/memory/search/postgres/pgvector-index.ts";
import { BenchPostgres } from "./bench-postgres.ts";
import { copyWithVectors } from "./copy-with-vectors.ts";
import { computeCacheKey, withMemoryOf } from "./temporary-memory.ts";

/** Options of a bench that supports both engines. */
export const ENGINE_OPTIONS = {
  /** `sqlite`, or `postgres`, for which the bench starts a server. */
  engine: { type: "string", default: "sqlite" },
  /** Address (postgres://…) of a running server. */
  database: { type: "string" },
  /** Builds the HNSW index, which otherwise exists only for many vectors. */
  graph: { type: "boolean", default: false },
} as const;

export interface EngineChoice {
  readonly engine: string;
  readonly database?: string | undefined;
  readonly graph: boolean;
}

/** PostgreSQL would otherwise scan so few vectors sequentially despite the index. */
const FORCE_INDEX_SCAN = { enable_seqscan: "off" };

/** Opens memories on the chosen engine. */
export class ChosenEngine implements AsyncDisposable {
  readonly #postgres: BenchPostgres | undefined;
  readonly #graph: boolean;

  static async open({ engine, database, graph }: EngineChoice): Promise<ChosenEngine> {
    const isServer = engine === "postgres" || database !== undefined;
    const settings = graph ? FORCE_INDEX_SCAN : {};
    const postgres = isServer
      ? await BenchPostgres.open({ address: database, settings })
      : undefined;
    return new ChosenEngine(postgres, graph);
  }

  private constructor(postgres: BenchPostgres | undefined, graph: boolean) {
    this.#postgres = postgres;
    this.#graph = graph;
  }

  /** Runs `body` with a memory of these episodes. Vectors are computed in SQLite and copied. */
  async withMemoryOf<T>(
    embedder: Embedder,
    episodes: readonly Record<string, unknown>[],
    body: (memory: MemoryEngine) => Promise<T>,
  ): Promise<T> {
    return withMemoryOf(embedder, episodes, async (memory) => {
      if (this.#postgres === undefined) return body(memory);
      const suffix = this.#graph ? "_graph" : "";
      const name = `memory_${computeCacheKey(embedder, episodes)}${suffix}`;
      const fill = (empty: MemoryEngine) => this.#copy(memory, empty);
      return this.#postgres.withFilled({ name, embedder, fill }, body);
    });
  }

  async #copy(from: MemoryEngine, into: MemoryEngine): Promise<void> {
    await copyWithVectors(from, into);
    if (!this.#graph) return;
    const database = await into.database();
    await database.refine(await database.read((tx) => listMissingGraphs(tx, { beyond: 0 })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#postgres?.[Symbol.asyncDispose]();
  }
}
