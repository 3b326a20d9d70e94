/**
 * Lists the statements of a recall, a remember or a fact, the time of each, and those that SQLite
 * plans again at each run: these take longer with bound values than with literals. Runs in one
 * process on a copy of a database file, with hashes as vectors.
 *
 *   npx tsx bench/statements.ts <file.db> [--operation recall|remember|fact] [--calls 60]
 *
 * `CAIRN_BENCH_KEEP=<folder> npx tsx bench/scale.ts` creates such files.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SqliteDatabase } from "../src/database/index.ts";
import { connectDriver } from "../src/database/sqlite/driver.ts";
import { createOperations, type MemoryEngine, openMemory } from "../src/memory/index.ts";
import { stderrLogger } from "../src/shared/logger.ts";
import { createHashEmbedder } from "./support/hash-embedder.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { withTemporaryFolder } from "./support/temporary-memory.ts";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operation: { type: "string", default: "recall" },
    calls: { type: "string", default: "60" },
  },
});
const CALLS = Number(given.calls);
const METHODS = ["all", "get", "run"] as const;
const TIMES = 60;
const [file] = positionals;
if (file === undefined) throw new Error("usage: bench/statements.ts <file.db>");

/** Runs of one statement text. */
interface Run {
  /** Milliseconds of each run. */
  readonly times: number[];
  /** Bound values of the last run. */
  values: readonly unknown[];
}

await withTemporaryFolder(async (folder) => {
  const path = join(folder, "copy.db");
  copyFileSync(file, path);
  const runs = await recordRuns(path);
  const connection = connectDriver(path, {});
  connection.exec("begin");
  const rows = [...runs].map(([source, { times, values }]) => {
    const perCall = (at(times, 0.2) * times.length) / CALLS;
    const again = measureReplanning(connection, source, values);
    return { source, perCall, calls: times.length / CALLS, again };
  });
  connection.close();
  rows.sort((a, b) => b.perCall - a.perCall);
  printTable(
    ["ms per call", "runs per call", "replanning, ms per run", "statement"],
    rows.map(({ source, perCall, calls, again }) => [
      perCall.toFixed(3),
      calls.toFixed(2),
      again === undefined ? "not measured" : again > 0.02 ? again.toFixed(3) : "",
      source.replace(/\s+/g, " ").slice(0, 120),
    ]),
  );
});

/** Records every statement that a number of calls runs, by wrapping the driver's `prepare`. */
async function recordRuns(path: string): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run>();
  const memory = openMemory({
    name: "bench",
    database: new SqliteDatabase({ path }),
    embedder: createHashEmbedder(),
    operations: createOperations(),
    logger: stderrLogger(),
  });
  const text = syntheticText(1);
  const prototype = Object.getPrototypeOf(connectDriver(":memory:", {}).prepare("select 1"));
  const unnoted = METHODS.map((name) => [name, prototype[name]] as const);
  for (const [name, real] of unnoted) {
    prototype[name] = function noted(this: { readonly source: string }, ...values: unknown[]) {
      const start = performance.now();
      const result = real.apply(this, values);
      const run = runs.get(this.source) ?? { times: [], values };
      run.times.push(performance.now() - start);
      run.values = values.flat();
      runs.set(this.source, run);
      return result;
    };
  }
  for (let call = -CALLS; call < CALLS; call += 1) {
    if (call === 0) runs.clear();
    await callOnce(memory, text, call + CALLS);
  }
  for (const [name, real] of unnoted) prototype[name] = real;
  await memory.close();
  for (const { times } of runs.values()) times.sort((a, b) => a - b);
  return runs;
}

function callOnce(memory: MemoryEngine, text: ReturnType<typeof syntheticText>, number: number) {
  if (given.operation === "recall") {
    return memory.execute("recall", { query: text.words(3 + text.integer(5)).join(" ") });
  }
  return memory.execute("remember", {
    content: text.sentence(8 + text.integer(20)),
    asserted_by: "person1",
    entities: [`person:person${number % 50}`, `module:module${text.integer(2_000)}`],
    session: "session-1",
    ...(given.operation === "fact" && { episode_type: "fact" }),
  });
}

/**
 * Time that bound values add to a run; undefined for statements that cannot be repeated, such as
 * most inserts.
 */
function measureReplanning(
  connection: ReturnType<typeof connectDriver>,
  source: string,
  values: readonly unknown[],
): number | undefined {
  const [bound, written]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < 3; round += 1) {
      bound.push(measureRun(connection, source, values));
      written.push(measureRun(connection, inlineParameters(source, values), []));
    }
    return Math.min(...bound) - Math.min(...written);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (connection.inTransaction) connection.exec("rollback");
    connection.exec("begin");
    return undefined;
  }
}

/** 10th percentile of several runs. Writes are rolled back. */
function measureRun(
  connection: ReturnType<typeof connectDriver>,
  source: string,
  values: readonly unknown[],
): number {
  const statement = connection.prepare(source);
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    if (!statement.readonly) connection.exec("savepoint bench");
    const start = performance.now();
    if (statement.reader) statement.all(...values);
    else statement.run(...values);
    times.push(performance.now() - start);
    if (!statement.readonly) connection.exec("rollback to bench; release bench");
  }
  times.sort((a, b) => a - b);
  return at(times, 0.1);
}

/** Replaces each parameter of the statement by its value as a literal. */
function inlineParameters(source: string, values: readonly unknown[]): string {
  let index = 0;
  return source.replace(/"[^"]*"|'[^']*'|\?/g, (part) =>
    part === "?" ? formatLiteral(values[index++]) : part,
  );
}

function formatLiteral(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (value === null || value === undefined) return "null";
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

function at(times: readonly number[], share: number): number {
  return times[Math.floor(times.length * share)] ?? 0;
}
