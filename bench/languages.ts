/**
 * Recall in ten languages. Questions use other word forms than their answers: inflection,
 * compounds, identifiers in running text, scripts without spaces. All languages share one
 * database, so that sentences of other languages are distractors too.
 *
 *   npx tsx bench/languages.ts [none]
 */

import { percent, printTable } from "./support/print-table.ts";
import { LANGUAGES } from "./support/sentences-by-language.ts";
import { createDefaultEmbedder, withMemoryOf } from "./support/temporary-memory.ts";

const DEPTH = 10;
const embedder = process.argv[2] === "none" ? undefined : createDefaultEmbedder();
const pairs = LANGUAGES.flatMap(({ language, pairs: own }) =>
  own.map(([answer, question], index) => ({
    language,
    question,
    answer,
    ref: `${language}/${index}`,
  })),
);
const episodes = pairs.map(({ answer, ref }) => ({ content: answer, source_ref: ref }));
/** Reciprocal rank of each answer; 0 if it is not among the returned episodes. */
const gains = new Map<string, number[]>();
await withMemoryOf(embedder, episodes, async (memory) => {
  for (const { language, question, ref } of pairs) {
    const { episodes: found } = await memory.execute("recall", {
      query: question,
      episode_k: DEPTH,
      min_score: 0,
    });
    const rank = found.findIndex((episode) => episode.source_ref === ref);
    gains.set(language, [...(gains.get(language) ?? []), rank < 0 ? 0 : 1 / (rank + 1)]);
  }
});
await embedder?.close();
printTable(
  ["language", "questions", "R@1, %", `R@${DEPTH}, %`, "MRR"],
  [...gains, ["all", [...gains.values()].flat()] as const].map(([language, own]) => [
    language,
    own.length,
    percent(own.filter((gain) => gain === 1).length / own.length),
    percent(own.filter((gain) => gain > 0).length / own.length),
    (own.reduce((sum, gain) => sum + gain, 0) / own.length).toFixed(3),
  ]),
);
