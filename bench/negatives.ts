/**
 * Results of recall for questions that the memory cannot answer: LoCoMo's category 5, which asks
 * one speaker about what another said, and every fourth question of the other conversations. For
 * comparison, the answerable questions with their evidence recall when only scores of at least
 * 0.35 count.
 *
 *   npx tsx bench/negatives.ts <locomo.json>
 */
import { readFileSync } from "node:fs";
import { parseLocomo, type Question } from "./support/parse-locomo.ts";
import { percent, printTable } from "./support/print-table.ts";
import { createDefaultEmbedder, withMemoryOf } from "./support/temporary-memory.ts";

const DEPTH = 10;
const MIN_SCORE = 0.35;
const SAMPLE_INTERVAL = 4;

interface Asked {
  readonly group: "answerable" | "category 5" | "of others";
  readonly question: Pick<Question, "text" | "evidence">;
}

interface Answer extends Asked {
  readonly found: readonly { readonly ref: string; readonly score: number }[];
}

const path = process.argv[2];
if (path === undefined) throw new Error("usage: bench/negatives.ts <locomo.json>");
const conversations = parseLocomo(JSON.parse(readFileSync(path, "utf8")));
const embedder = createDefaultEmbedder();
const answers: Answer[] = [];
for (const conversation of conversations) {
  const others = conversations.filter((other) => other !== conversation);
  const unknown = (text: string) => ({ text, evidence: [] });
  const asked: Asked[] = [
    ...conversation.questions.map((question) => ({ group: "answerable" as const, question })),
    ...conversation.unanswerable.map((text) => ({
      group: "category 5" as const,
      question: unknown(text),
    })),
    ...others
      .flatMap(({ questions }) =>
        questions.filter((_question, index) => index % SAMPLE_INTERVAL === 0),
      )
      .map(({ text }) => ({ group: "of others" as const, question: unknown(text) })),
  ];
  await withMemoryOf(embedder, conversation.episodes, async (memory) => {
    for (const one of asked) {
      const { episodes } = await memory.execute("recall", {
        query: one.question.text,
        episode_k: DEPTH,
      });
      const found = episodes.map(({ source_ref: ref, score }) => ({ ref: ref ?? "", score }));
      answers.push({ ...one, found });
    }
  });
}
await embedder.close();

const GROUPS = [
  ["answerable", ({ group }: Answer) => group === "answerable"],
  ["category 5", ({ group }: Answer) => group === "category 5"],
  ["other conversations", ({ group }: Answer) => group === "of others"],
  ["both unanswerable", ({ group }: Answer) => group !== "answerable"],
] as const;
printTable(
  [
    "questions",
    "count",
    "no results, %",
    `no results ≥ ${MIN_SCORE}, %`,
    "results",
    `results ≥ ${MIN_SCORE}`,
    "median top score",
  ],
  GROUPS.map(([name, belongs]) => {
    const group = answers.filter(belongs);
    const good = group.map(({ found }) => found.filter(({ score }) => score >= MIN_SCORE));
    return [
      name,
      group.length,
      percent(mean(group.map(({ found }) => (found.length === 0 ? 1 : 0)))),
      percent(mean(good.map((found) => (found.length === 0 ? 1 : 0)))),
      mean(group.map(({ found }) => found.length)).toFixed(1),
      mean(good.map((found) => found.length)).toFixed(1),
      median(group.map(({ found }) => found[0]?.score ?? 0)).toFixed(2),
    ];
  }),
);
const answerable = answers.filter(({ group }) => group === "answerable");
process.stdout.write(
  `\nR@${DEPTH} of answerable questions: ${percent(computeRecall(0))}, with scores ≥ ${MIN_SCORE}: ${percent(computeRecall(MIN_SCORE))}\n`,
);

function computeRecall(least: number): number {
  return mean(
    answerable.map(({ question: { evidence }, found }) => {
      const refs = new Set(found.filter(({ score }) => score >= least).map(({ ref }) => ref));
      return evidence.filter((ref) => refs.has(ref)).length / evidence.length;
    }),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
