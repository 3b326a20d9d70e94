/**
 * What a recall costs over four layers, beside the same items in one memory: in turn, the same
 * questions, with the embedder that ships with cairn (`--embedder none`: without).
 *
 *   npx tsx bench/layers.ts [--items 8000] [--questions 200] [--rounds 3] [--embedder default]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPlace } from "../src/database/index.ts";
import { silentLogger } from "../src/kernel/logger.ts";
import { createOperations, isDatabaseName, MemoryStore } from "../src/memory/index.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { defaultEmbedder, rememberAll, withTemporaryFolder } from "./support/temporary-memory.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "8000" },
    questions: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    embedder: { type: "string", default: "default" },
  },
});
const LAYERS = ["mine", "project", "team", "company"];
const ITEMS = Number(values.items);

function storeIn(folder: string, defaultDatabase: string, layers: readonly string[]): MemoryStore {
  return new MemoryStore({
    place: openPlace({ folder: join(folder), address: undefined, isName: isDatabaseName }),
    defaultDatabase,
    operations: createOperations(),
    embedder: values.embedder === "none" ? undefined : defaultEmbedder(),
    logger: silentLogger,
    episodeTypes: [],
    layers,
  });
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

await withTemporaryFolder(async (folder) => {
  const text = syntheticText(7);
  const episodes = Array.from({ length: ITEMS }, (_, n) => ({
    content: text.sentence(24),
    episode_type: n % 3 === 0 ? "fact" : "observation",
    entities: [`file:src/${text.integer(400)}.ts`],
  }));
  const layered = storeIn(folder, "mine", LAYERS.slice(1));
  const single = storeIn(folder, "one", []);
  await rememberAll(single.open(), episodes);
  for (const [place, name] of LAYERS.entries()) {
    const part = episodes.filter((_, n) => n % LAYERS.length === place);
    await rememberAll(layered.open(name), part);
  }
  const questions = Array.from({ length: Number(values.questions) }, () => text.words(4).join(" "));
  const ask = async (store: MemoryStore, query: string, surface?: "library") => {
    const begun = performance.now();
    await store.open().execute("recall", { query }, surface === undefined ? {} : { surface });
    return performance.now() - begun;
  };
  const rows = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const times = { one: [0], nearest: [0], four: [0] };
    for (const query of questions) {
      times.one.push(await ask(single, query, "library"));
      // Without a surface the nearest alone is asked: a quarter of the items.
      times.nearest.push(await ask(layered, query));
      times.four.push(await ask(layered, query, "library"));
    }
    const [one, nearest, four] = [times.one, times.nearest, times.four].map(median);
    rows.push([round + 1, one, nearest, four].map((value) => (value ?? 0).toFixed(2)));
    rows.at(-1)?.push(((four ?? 0) / (one ?? 1)).toFixed(2));
  }
  printTable(["Round", "One memory (ms)", "Nearest alone", "Four layers", "Four : one"], rows);
  await layered.close();
  await single.close();
});
