/**
 * Cost of operations as memory grows: one remember, one fact, one changeset of 50 ops, `stats`,
 * `list_labels`, and one recall, also with filters that match 1, 20 and 100 % of the episodes.
 * Calls go to the engine without model time (vectors are hashes). Also measures how far recalls
 * with a `timeout_ms` overrun it. Reports CPU time, which other load on the machine affects least,
 * and wall-clock time.
 *
 *   npx tsx bench/scale.ts [--sizes 1000,10000,100000] [--million] [--engines sqlite,postgres]
 *     [--database postgres://…] [--network 1] [--brief] [--samples 200] [--against ../cairn-before]
 *     [--passages]
 *
 * With `postgres` it starts the PostgreSQL of the tests, or uses the server of `--database`, and
 * copies the SQLite database to it. `--network` adds a network with this round-trip time in
 * milliseconds. `--brief` skips the filters and the recalls with a timeout. `--against` alternates
 * with the code of another installed checkout; on PostgreSQL both use the same database.
 * `--passages` alternates each memory with one that has as many passages as episodes, and adds
 * recalls that return passages.
 *
 * CAIRN_BENCH_KEEP names a folder that stores the filled databases for the next run.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { InputOf, MemoryEngine } from "../src/memory/index.ts";
import { getVectorIndex } from "../src/memory/search/vector-index.ts";
import { BenchPostgres, readCpuMs } from "./support/bench-postgres.ts";
import { copyWithVectors } from "./support/copy-with-vectors.ts";
import { createHashEmbedder } from "./support/hash-embedder.ts";
import { printTable } from "./support/print-table.ts";
import { type SyntheticText, syntheticText } from "./support/synthetic-text.ts";
import { withFilledMemory } from "./support/temporary-memory.ts";

const { values: given } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    million: { type: "boolean", default: false },
    engines: { type: "string" },
    database: { type: "string" },
    network: { type: "string", default: "0" },
    brief: { type: "boolean", default: false },
    samples: { type: "string", default: "200" },
    against: { type: "string" },
    passages: { type: "boolean", default: false },
  },
});
const SIZES = [...given.sizes.split(",").map(Number), ...(given.million ? [1_000_000] : [])];
const ENGINES = (given.engines ?? (given.database === undefined ? "sqlite" : "postgres")).split(
  ",",
);
const OPS = 50;
const SAMPLES = {
  remember: Number(given.samples),
  fact: Number(given.samples),
  apply: Math.ceil(Number(given.samples) / 10),
  counts: 100,
  recall: Number(given.samples),
  filtered: 40,
  hurried: 20,
};
/** Percentages of the episodes that a filter matches. */
const FILTER_PERCENTAGES = [1, 20, 100];
/** Values of `timeout_ms` whose overrun is measured. */
const TIMEOUTS_MS = [1, 5, 20];
/** Engine names of the memories that the code of the other checkout opens, by engine name here. */
const OTHER_CHECKOUT_NAMES: Readonly<Record<string, string>> = {
  sqlite: "other",
  postgres: "postgres, other",
};
/** Engine name of a memory with passages. */
const WITH_PASSAGES = "sqlite, passages";
const TURNS_PER_SESSION = 50;
const FILTER_KINDS = ["labels", "entity", "topic", "as_of"] as const;

/** Milliseconds of each call, in ascending order. */
interface Times {
  readonly wall: number[];
  /** CPU time of this process. */
  readonly cpu: number[];
  /** CPU time of the PostgreSQL backends of this memory. */
  readonly server: number[];
}

interface Figures {
  readonly size: number;
  readonly engine: string;
  readonly remember: Times;
  readonly fact: Times;
  readonly apply: Times;
  readonly stats: Times;
  readonly labels: Times;
  readonly recall: Times;
  /** Recalls that return passages too, if the memory has any. */
  readonly recallAll: Times;
  /** By filter name. */
  readonly filtered: Map<string, Times>;
  /** Milliseconds by which recalls exceeded their `timeout_ms`, in ascending order. */
  readonly overruns: number[];
}

const createTimes = (): Times => ({ wall: [], cpu: [], server: [] });

/** Memories of all sizes are measured in turn, so that load on the machine affects all alike. */
const memories: Populated[] = [];
await using postgres = ENGINES.includes("postgres")
  ? await BenchPostgres.open({ address: given.database, networkMs: Number(given.network) })
  : undefined;
const figures = await openAll(SIZES, measureAll);
report(figures);

interface Populated {
  readonly memory: MemoryEngine;
  text: SyntheticText;
  readonly figures: Figures;
  /** Process ids of the PostgreSQL backends of this memory. */
  readonly backends: () => Promise<readonly number[]>;
  next: number;
}

async function openAll<T>(sizes: readonly number[], body: () => Promise<T>): Promise<T> {
  const [size, ...rest] = sizes;
  if (size === undefined) return body();
  const filling = {
    name: `scale-${size}`,
    embedder: createHashEmbedder(),
    fill: (memory: MemoryEngine) => populate(memory, size),
    isWritten: true,
  };
  return withFilledMemory(filling, async (memory) => {
    if (ENGINES.includes("sqlite")) add(memory, size, "sqlite", async () => []);
    if (given.passages) return withPassages(size, () => openAll(rest, body));
    if (given.against !== undefined && postgres === undefined) {
      return withMemoryOfOther(given.against, async (other) => {
        await populate(other, size);
        add(other, size, "other", async () => []);
        return openAll(rest, body);
      });
    }
    if (postgres === undefined) return openAll(rest, body);
    const fill = (empty: MemoryEngine) => copyTimed(memory, empty, size);
    return postgres.withFilled(
      { name: `scale_${size}`, embedder: createHashEmbedder(), fill },
      async (other, database) => {
        add(other, size, "postgres", () => postgres.backendsOf(database));
        if (given.against === undefined) return openAll(rest, body);
        const address = postgres.urlOf(database);
        return withDatabaseOfOther(given.against, { address, database }, async (memory) => {
          add(memory, size, "postgres, other", () => postgres.backendsOf(database));
          return openAll(rest, body);
        });
      },
    );
  });
}

/** Adds a memory with passages next to the memory of the same size. */
function withPassages<T>(size: number, body: () => Promise<T>): Promise<T> {
  const filling = {
    name: `scale-${size}-passages`,
    embedder: createHashEmbedder(),
    fill: async (memory: MemoryEngine) => {
      await populate(memory, size);
      await addPassages(memory, size);
    },
    isWritten: true,
  };
  return withFilledMemory(filling, async (memory) => {
    add(memory, size, WITH_PASSAGES, async () => []);
    return body();
  });
}

/** Adds sessions of fifty turns, alternating between user and assistant. */
async function addPassages(memory: MemoryEngine, size: number): Promise<void> {
  const text = syntheticText(size + 2);
  for (let start = 0; start < size; start += TURNS_PER_SESSION) {
    const turns = Array.from({ length: Math.min(TURNS_PER_SESSION, size - start) }, (_, turn) => ({
      key: String(turn),
      by: turn % 2 === 0 ? "user" : "assistant",
      text: text.sentence(20 + text.integer(60)),
      occurred_at: createTimestamp(start + turn),
    }));
    await memory.execute("read_source", {
      kind: "claude-code",
      key: `session-${start}`,
      passages: turns,
    });
  }
  await memory.makeMissingVectors();
}

/** Returns the bench support folder of another checkout and its hash embedder. */
async function loadSupport(checkout: string) {
  const support = resolve(checkout, "bench/support");
  const { createHashEmbedder } = (await import(
    `${support}/hash-embedder.ts`
  )) as typeof import("./support/hash-embedder.ts");
  return { support, createEmbedder: createHashEmbedder };
}

/**
 * Opens a memory in a new folder with the code of another checkout, which has the same bench
 * support.
 */
async function withMemoryOfOther<T>(
  checkout: string,
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const { support, createEmbedder } = await loadSupport(checkout);
  const { withTemporaryMemory } = (await import(
    `${support}/temporary-memory.ts`
  )) as typeof import("./support/temporary-memory.ts");
  return withTemporaryMemory(createEmbedder(), body);
}

/** Opens the same database with the code of another checkout. */
async function withDatabaseOfOther<T>(
  checkout: string,
  { address, database }: { readonly address: string; readonly database: string },
  body: (memory: MemoryEngine) => Promise<T>,
): Promise<T> {
  const { support, createEmbedder } = await loadSupport(checkout);
  const { BenchPostgres: OtherPostgres } = (await import(
    `${support}/bench-postgres.ts`
  )) as typeof import("./support/bench-postgres.ts");
  await using server = await OtherPostgres.open({ address });
  const memory = await server.memoryIn(database, createEmbedder());
  try {
    return await body(memory);
  } finally {
    await memory.close();
  }
}

function add(
  memory: MemoryEngine,
  size: number,
  engine: string,
  backends: Populated["backends"],
): void {
  const figures = {
    ...{ size, engine, filtered: new Map(), overruns: [] },
    ...{
      remember: createTimes(),
      fact: createTimes(),
      apply: createTimes(),
      recall: createTimes(),
    },
    ...{ stats: createTimes(), labels: createTimes(), recallAll: createTimes() },
  };
  memories.push({ memory, text: syntheticText(size + 1), figures, backends, next: size });
}

async function copyTimed(from: MemoryEngine, into: MemoryEngine, size: number): Promise<void> {
  const started = performance.now();
  await copyWithVectors(from, into);
  await (await into.database()).refine(await graphsOf(into));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stderr.write(`${size} episodes copied to PostgreSQL in ${seconds} s\n`);
}

async function graphsOf(memory: MemoryEngine): Promise<readonly string[]> {
  return (await memory.database()).read((tx) => getVectorIndex(tx).refinements(tx));
}

/** Reads come first, so that each memory still has its nominal size. */
async function measureAll(): Promise<Figures[]> {
  await measureRounds(
    SAMPLES.recall,
    (one) => one.figures.recall,
    ({ memory, text }) =>
      memory.execute("recall", { query: text.words(3 + text.integer(5)).join(" ") }),
  );
  if (given.passages) {
    await measureRounds(
      SAMPLES.recall,
      (one) => one.figures.recallAll,
      ({ memory, text, figures: { engine } }) =>
        memory.execute("recall", {
          query: text.words(3 + text.integer(5)).join(" "),
          passage_k: engine === WITH_PASSAGES ? 4 : 0,
        }),
    );
  }
  await measureRounds(
    SAMPLES.counts,
    (one) => one.figures.stats,
    ({ memory }) => memory.execute("stats", {}),
  );
  await measureRounds(
    SAMPLES.counts,
    (one) => one.figures.labels,
    ({ memory }) => memory.execute("list_labels", {}),
  );
  if (!given.brief) await measureFilters();
  await measureWrites();
  return memories.map((one) => one.figures);
}

async function measureFilters(): Promise<void> {
  for (const kind of FILTER_KINDS) {
    for (const share of FILTER_PERCENTAGES) {
      const name = `${kind} ${share} %`;
      for (const { figures } of memories) figures.filtered.set(name, createTimes());
      await measureRounds(
        SAMPLES.filtered,
        (one) => one.figures.filtered.get(name) ?? createTimes(),
        (one) =>
          one.memory.execute("recall", {
            query: one.text.words(3 + one.text.integer(5)).join(" "),
            ...createFilter(kind, share, one.figures.size),
          }),
      );
    }
  }
  for (const one of memories) await measureOverruns(one);
}

async function measureWrites(): Promise<void> {
  // Two memories may share one database, so each writes different texts.
  for (const [place, one] of memories.entries()) {
    one.text = syntheticText(one.figures.size + 2 + place);
  }
  await measureRounds(
    SAMPLES.remember,
    (one) => one.figures.remember,
    ({ memory }, episode) => memory.execute("remember", episode()),
  );
  await measureRounds(
    SAMPLES.fact,
    (one) => one.figures.fact,
    ({ memory }, episode) => memory.execute("remember", { ...episode(), episode_type: "fact" }),
  );
  await measureRounds(
    SAMPLES.apply,
    (one) => one.figures.apply,
    ({ memory }, episode) => {
      const ops = Array.from({ length: OPS }, () => ({ op: "remember", ...episode() }));
      return memory.execute("apply", { changeset: JSON.stringify(ops) });
    },
  );
}

/** Measures recalls with too short a timeout, with and without each filter. */
async function measureOverruns({ memory, text, figures: { size, overruns } }: Populated) {
  const filters = FILTER_KINDS.flatMap((kind) =>
    FILTER_PERCENTAGES.map((share) => createFilter(kind, share, size)),
  );
  for (let round = 0; round < SAMPLES.hurried; round += 1) {
    for (const filter of [{}, ...filters]) {
      for (const timeout of TIMEOUTS_MS) {
        const query = text.words(3 + text.integer(5)).join(" ");
        const start = performance.now();
        await memory.execute("recall", { query, ...filter, timeout_ms: timeout });
        overruns.push(Math.max(0, performance.now() - start - timeout));
      }
    }
  }
  overruns.sort((a, b) => a - b);
}

function createFilter(kind: (typeof FILTER_KINDS)[number], share: number, size: number) {
  if (kind === "labels") return { labels: `share=${share}` };
  if (kind === "entity") return { entity: `tool:share${share}` };
  if (kind === "topic") return { topic: `share${share}` };
  return { as_of: createTimestamp(Math.ceil((size * share) / 100)) };
}

/** Times are one minute apart. */
function createTimestamp(number: number): string {
  return new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString();
}

/** Runs `count` warm-up rounds (JIT compilation, page cache), then `count` measured ones. */
async function measureRounds(
  count: number,
  timesOf: (one: Populated) => Times,
  run: (one: Populated, episode: () => Episode) => Promise<unknown>,
): Promise<void> {
  const backends = new Map<Populated, readonly number[]>();
  for (let round = -count; round < count; round += 1) {
    for (const one of memories) {
      if (round === 0) backends.set(one, await one.backends());
      const servers = backends.get(one) ?? [];
      const served = readCpuMs(servers);
      const start = performance.now();
      const used = process.cpuUsage();
      await run(one, () => createEpisode(one.text, one.next++));
      const { user, system } = process.cpuUsage(used);
      if (round < 0) continue;
      timesOf(one).wall.push(performance.now() - start);
      timesOf(one).cpu.push((user + system) / 1000);
      timesOf(one).server.push(readCpuMs(servers) - served);
    }
  }
  for (const one of memories) {
    const { wall, cpu, server } = timesOf(one);
    for (const times of [wall, cpu, server]) times.sort((a, b) => a - b);
  }
}

/** One episode in ten is a fact; each names two entities, and twenty form a session. */
async function populate(memory: MemoryEngine, size: number): Promise<void> {
  const text = syntheticText(size);
  const started = Date.now();
  const most = 10_000;
  for (const share of FILTER_PERCENTAGES) {
    await memory.execute("create_topic", { name: `share${share}` });
  }
  for (let start = 0; start < size; start += most) {
    const ops = Array.from({ length: Math.min(most, size - start) }, (_, index) => {
      const number = start + index;
      const { about, ...shares } = createFilterFields(number);
      const episode = { op: "remember", ...createEpisode(text, number), ...shares };
      // A fact has only its own entities, which determine its cluster.
      if (number % 10 === 0) return { ...episode, episode_type: "fact" };
      return { ...episode, entities: [...episode.entities, ...about] };
    });
    await memory.execute("apply", { changeset: JSON.stringify(ops) });
    await memory.makeMissingVectors();
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  process.stderr.write(`${size} episodes written in ${seconds} s\n`);
}

type Episode = InputOf<"remember">;

interface NewEpisode {
  readonly content: string;
  readonly asserted_by: string;
  readonly entities: string[];
  readonly session: string;
}

/**
 * Filters that an episode passes. An episode has only one topic, so the 100 % topic covers 80 %.
 */
function createFilterFields(number: number) {
  const index = (number + 5) % 100;
  const shares = FILTER_PERCENTAGES.filter((share) => index < share);
  return {
    labels: shares.map((share) => `share=${share}`).join(","),
    about: shares.map((share) => `tool:share${share}`),
    topic: `share${shares[0]}`,
    occurred_at: createTimestamp(number),
  };
}

function createEpisode(text: SyntheticText, number: number): NewEpisode {
  return {
    content: text.sentence(8 + text.integer(20)),
    asserted_by: `person${number % 50}`,
    entities: [`person:person${number % 50}`, `module:module${text.integer(2_000)}`],
    session: `session-${Math.floor(number / 20)}`,
  };
}

function report(all: readonly Figures[]): void {
  // The 10th percentile approximates an idle machine.
  const cells = ({ wall, cpu, server }: Times) => [
    getQuantile(cpu, 0.1),
    getQuantile(cpu, 0.5),
    getQuantile(server, 0.5),
    getQuantile(wall, 0.1),
    getQuantile(wall, 0.5),
    getQuantile(wall, 0.95),
  ];
  printTable(
    [
      "episodes",
      "engine",
      ...["remember", "fact", `apply ${OPS}`, "stats", "list_labels", "recall"].flatMap((name) => [
        `${name} CPU p10`,
        "CPU p50",
        "server CPU p50",
        "p10",
        "p50",
        "p95",
      ]),
      "beyond timeout_ms p95",
      "p99",
      "worst",
    ],
    all.map((row) => [
      String(row.size),
      row.engine,
      ...cells(row.remember),
      ...cells(row.fact),
      ...cells(row.apply),
      ...cells(row.stats),
      ...cells(row.labels),
      ...cells(row.recall),
      getQuantile(row.overruns, 0.95),
      getQuantile(row.overruns, 0.99),
      getQuantile(row.overruns, 1),
    ]),
  );
  process.stdout.write("Milliseconds.\n\n");
  if (!given.brief) reportFilters(all);
  if (given.against !== undefined) reportRatios(all);
  if (given.passages) reportPassages(all);
  for (const engine of ENGINES) reportGrowth(all.filter((row) => row.engine === engine));
}

function reportFilters(all: readonly Figures[]): void {
  printTable(
    [
      "recall with filter",
      ...all.map(({ size, engine }) => `${engine} ${size} CPU p50`),
      ...all.map(() => "ratio to unfiltered"),
    ],
    [...(all[0]?.filtered.keys() ?? [])].map((name) => {
      const medians = all.map(({ filtered }) => median(filtered.get(name)?.cpu ?? []));
      const ratios = all.map(({ recall }, index) => (medians[index] ?? 0) / median(recall.cpu));
      return [name, ...[...medians, ...ratios].map((value) => value.toFixed(2))];
    }),
  );
}

function reportGrowth([smallest, ...others]: readonly Figures[]): void {
  for (const row of others) {
    if (smallest === undefined) break;
    const ratio = (name: "remember" | "fact" | "apply" | "stats" | "labels") =>
      `${name} ${(median(row[name].cpu) / median(smallest[name].cpu)).toFixed(2)}`;
    process.stdout.write(
      `${row.engine}, ${row.size}, ratio to ${smallest.size}: ${(["remember", "fact", "apply", "stats", "labels"] as const).map(ratio).join(", ")}\n`,
    );
  }
}

/** Prints the time of this code relative to that of the other checkout. */
function reportRatios(all: readonly Figures[]): void {
  for (const row of all) {
    const named = OTHER_CHECKOUT_NAMES[row.engine];
    const other = all.find(({ size, engine }) => size === row.size && engine === named);
    if (other === undefined) continue;
    const of = (name: (typeof names)[number], kind: keyof Times) =>
      (median(row[name][kind]) / median(other[name][kind])).toFixed(2);
    const ratio = (name: (typeof names)[number]) =>
      `${name} ${of(name, "wall")}${row.engine === "postgres" ? ` (CPU ${of(name, "cpu")}, server ${of(name, "server")})` : ""}`;
    const names = ["remember", "fact", "apply", "stats", "labels", "recall"] as const;
    process.stdout.write(
      `${row.engine}, ${row.size}, ratio to the other checkout: ${names.map(ratio).join(", ")}\n`,
    );
  }
}

/** Prints the time with passages relative to the memory without. */
function reportPassages(all: readonly Figures[]): void {
  const names = ["remember", "fact", "apply", "stats", "labels", "recall", "recallAll"] as const;
  const rows = all.flatMap((row) => {
    const plain = all.find(({ size, engine }) => size === row.size && engine === "sqlite");
    if (plain === undefined || row.engine !== WITH_PASSAGES) return [];
    const shares = names.map((name) => {
      return (median(row[name].cpu) / median(plain[name].cpu)).toFixed(2);
    });
    return [[String(row.size), ...shares]];
  });
  printTable(
    [
      "with as many passages as episodes: ratio to without",
      ...names.slice(0, -1),
      "recall with passage_k",
    ],
    rows,
  );
}

function median(times: readonly number[]): number {
  return times[Math.floor(times.length / 2)] ?? 0;
}

function getQuantile(times: readonly number[], share: number): string {
  return (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
}
