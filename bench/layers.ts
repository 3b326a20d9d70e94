/**
 * Cost of a recall over four layers of n items each, compared with one memory of n items (the
 * innermost layer alone) and one of 4 n (the same items in one database). The three alternate with
 * the same questions. Times are CPU time of this process with the bundled embedder (`--embedder
 * none`: without). Statements are those that SQLite executed.
 *
 *   npx tsx bench/layers.ts [--items 8000] [--questions 200] [--rounds 3] [--embedder default]
 */
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3";
import type { MemoryStore } from "../src/memory/index.ts";
import { fillLayers, LAYERS, openLayeredStore } from "./support/layered-store.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import {
  createDefaultEmbedder,
  rememberAll,
  withTemporaryFolder,
} from "./support/temporary-memory.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "8000" },
    questions: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    embedder: { type: "string", default: "default" },
  },
});

const counted = { statements: 0 };
const embedder = values.embedder === "none" ? undefined : createDefaultEmbedder();

countStatements();
await withTemporaryFolder(async (folder) => {
  const text = syntheticText(7);
  const episodes = Array.from({ length: Number(values.items) }, (_, n) => ({
    content: text.sentence(24),
    episode_type: n % 3 === 0 ? "fact" : "observation",
    entities: [`file:src/${text.integer(400)}.ts`],
  }));
  const layered = openLayeredStore(folder, LAYERS, embedder);
  const single = openLayeredStore(folder, ["one"], embedder);
  await rememberAll(single.open(), episodes);
  await fillLayers(layered, episodes);
  const questions = Array.from({ length: Number(values.questions) }, () => text.words(4).join(" "));
  const rows = [];
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const costs = { all: createCost(), nearest: createCost(), four: createCost() };
    for (const query of questions) {
      await measureRecall(single, query, costs.all, "library");
      // Without a surface only the innermost layer is searched.
      await measureRecall(layered, query, costs.nearest);
      await measureRecall(layered, query, costs.four, "library");
    }
    const { all, nearest, four } = costs;
    // The first round only warms caches.
    if (round > 0) rows.push(formatRow(round, { all, nearest, four }));
  }
  printTable(
    [
      ...["round", "one of n, ms", "one of 4 n, ms", "four of n, ms"],
      ...["four / one of n", "four / one of 4 n", "statements (n, 4 n, four)"],
    ],
    rows,
  );
  await layered.close();
  await single.close();
});
await embedder?.close();

interface Cost {
  times: number[];
  statements: number;
}

function createCost(): Cost {
  return { times: [], statements: 0 };
}

async function measureRecall(store: MemoryStore, query: string, cost: Cost, surface?: "library") {
  const before = counted.statements;
  const begun = process.cpuUsage();
  await store.open().execute("recall", { query }, surface === undefined ? {} : { surface });
  const { user, system } = process.cpuUsage(begun);
  cost.times.push((user + system) / 1000);
  cost.statements += counted.statements - before;
}

function formatRow(
  round: number,
  { all, nearest, four }: Record<"all" | "nearest" | "four", Cost>,
) {
  const [ofAll, ofNearest, ofFour] = [all, nearest, four].map(({ times }) => median(times));
  const ms = (value = 0) => value.toFixed(2);
  const each = ({ statements, times }: Cost) => Math.round(statements / times.length);
  return [
    ...[round, ms(ofNearest), ms(ofAll), ms(ofFour)],
    ...[ms((ofFour ?? 0) / (ofNearest ?? 1)), ms((ofFour ?? 0) / (ofAll ?? 1))],
    [nearest, all, four].map(each).join(", "),
  ];
}

function median(times: readonly number[]): number | undefined {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

function countStatements(): void {
  const database = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(database.prepare("select 1"));
  for (const name of ["all", "get", "run"]) {
    const real = prototype[name];
    prototype[name] = function counting(this: unknown, ...inputs: unknown[]) {
      counted.statements += 1;
      return real.apply(this, inputs);
    };
  }
  database.close();
}
