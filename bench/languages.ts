/**
 * Recall in ten languages: questions in other forms of the words than what answers them (inflection,
 * compounds, identifiers in running text, scripts without spaces). All languages lie in one
 * database, so that each question has its own language's sentences and all others to get wrong.
 *
 *   npx tsx bench/languages.ts [none]
 */

import { percent, printTable } from "./support/print-table.ts";
import { LANGUAGES } from "./support/sentences-by-language.ts";
import { defaultEmbedder, withMemoryOf } from "./support/temporary-memory.ts";

const DEPTH = 10;
const embedder = process.argv[2] === "none" ? undefined : defaultEmbedder();
const pairs = LANGUAGES.flatMap(({ language, pairs: own }) =>
  own.map(([answer, question], index) => ({
    language,
    question,
    answer,
    ref: `${language}/${index}`,
  })),
);
const episodes = pairs.map(({ answer, ref }) => ({ content: answer, source_ref: ref }));
/** 1 divided by the rank of the answer; 0 where it is not among the first. */
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
  ["language", "questions", "first, %", `among ${DEPTH}, %`, "MRR"],
  [...gains, ["all", [...gains.values()].flat()] as const].map(([language, own]) => [
    language,
    own.length,
    percent(own.filter((gain) => gain === 1).length / own.length),
    percent(own.filter((gain) => gain > 0).length / own.length),
    (own.reduce((sum, gain) => sum + gain, 0) / own.length).toFixed(3),
  ]),
);
