/**
 * Ranking of technical documents: nDCG@10 over the queries of a collection `{docs: [{id, text}],
 * queries: [{query, relevant: [id]}]}`.
 *
 *   npx tsx bench/ir.ts <collection.json> [--engine postgres | --database postgres://…] [--graph]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ChosenEngine, ENGINE_OPTIONS } from "./support/chosen-engine.ts";
import { percent, printTable } from "./support/print-table.ts";
import { createDefaultEmbedder } from "./support/temporary-memory.ts";

interface Collection {
  readonly docs: readonly { readonly id: string | number; readonly text: string }[];
  readonly queries: readonly {
    readonly query: string;
    readonly relevant: readonly (string | number)[];
  }[];
}

const DEPTH = 10;

const {
  values: given,
  positionals: [path],
} = parseArgs({ options: ENGINE_OPTIONS, allowPositionals: true });
if (path === undefined) throw new Error("usage: bench/ir.ts <collection.json>");
const collection = JSON.parse(readFileSync(path, "utf8")) as Collection;
await using engine = await ChosenEngine.open(given);
const embedder = createDefaultEmbedder();
const documents = collection.docs
  .filter(({ text }) => text.trim() !== "")
  .map(({ id, text }) => ({ content: text, source_ref: String(id) }));
const scores = await engine.withMemoryOf(embedder, documents, async (memory) => {
  const gains: number[] = [];
  for (const { query, relevant } of collection.queries) {
    const { episodes } = await memory.execute("recall", { query, episode_k: DEPTH, min_score: 0 });
    const found = episodes.map((episode) => episode.source_ref ?? "");
    gains.push(ndcg(found, new Set(relevant.map(String))));
  }
  return gains;
});
await embedder.close();
printTable(
  ["documents", "queries", `nDCG@${DEPTH}, %`],
  [[collection.docs.length, scores.length, percent(mean(scores))]],
);

/** Normalized discounted cumulative gain with binary relevance and a log2 discount. */
function ndcg(found: readonly string[], relevant: ReadonlySet<string>): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const gain = found
    .slice(0, DEPTH)
    .reduce((sum, id, rank) => (relevant.has(id) ? sum + discount(rank) : sum), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(DEPTH, relevant.size); rank += 1) ideal += discount(rank);
  return ideal === 0 ? 0 : gain / ideal;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
