/**
 * Evidence recall on LoCoMo conversations: the share of evidence turns among the first n episodes
 * (R@n), the share of questions with at least one (hit@n), and the share within the first tokens
 * of the text that a model receives. Each conversation has its own database. Questions without an
 * answer are excluded.
 *
 *   npx tsx bench/locomo.ts <locomo.json> [--engine postgres | --database postgres://…] [--graph] [--joined] [--layers turns|sessions]
 *
 * `--layers` distributes each conversation over four layers, which one recall searches: by single
 * turns, which separates each turn from its neighbours, or by whole sessions. `--joined` puts all
 * conversations into one database. With `--graph` PostgreSQL uses an HNSW index; without it, it
 * compares all vectors.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ChosenEngine, ENGINE_OPTIONS } from "./support/chosen-engine.ts";
import { bySessions, byTurns, withLayersOf } from "./support/layered-store.ts";
import { type Conversation, parseLocomo, type Question } from "./support/parse-locomo.ts";
import { percent, printTable } from "./support/print-table.ts";
import { createDefaultEmbedder } from "./support/temporary-memory.ts";

const DEPTHS = [5, 10, 20, 50] as const;
/** Token budgets (o200k_base) of the formatted result. */
const BUDGETS = [500, 1_000, 2_000] as const;
const CATEGORIES = ["multi-hop", "temporal", "open-domain", "single-hop"] as const;

interface Answer {
  readonly question: Question;
  readonly conversation: string;
  /** `source_ref` of the returned episodes, best first. */
  readonly found: readonly string[];
  /** Cumulative tokens of the text up to the end of each episode. */
  readonly tokens: readonly number[];
}

const {
  values: given,
  positionals: [path],
} = parseArgs({
  options: {
    ...ENGINE_OPTIONS,
    joined: { type: "boolean", default: false },
    layers: { type: "string" },
  },
  allowPositionals: true,
});
if (path === undefined) throw new Error("usage: bench/locomo.ts <locomo.json>");
const isLayered = given.layers !== undefined;
const dealing = given.layers === "sessions" ? bySessions : byTurns;
await using engine = await ChosenEngine.open(given);
const embedder = createDefaultEmbedder();
const answers: Answer[] = [];
const conversations = parseLocomo(JSON.parse(readFileSync(path, "utf8")));
for (const together of given.joined ? [conversations] : conversations.map((one) => [one])) {
  answers.push(...(await recallAll(together)));
}
await embedder.close();
printReport(answers);

async function recallAll(together: readonly Conversation[]): Promise<Answer[]> {
  const episodes = together.flatMap((conversation) => conversation.episodes);
  const withMemory: typeof engine.withMemoryOf = isLayered
    ? (using, given, body) => withLayersOf(using, given, (store) => body(store.open()), dealing)
    : engine.withMemoryOf.bind(engine);
  return withMemory(embedder, episodes, async (memory) => {
    const answers: Answer[] = [];
    const questions = together.flatMap(({ id, questions }) =>
      questions.map((question) => ({ id, question })),
    );
    for (const { id, question } of questions) {
      const { episodes, formatted } = await memory.execute(
        "recall",
        {
          query: question.text,
          episode_k: Math.max(...DEPTHS),
          min_score: 0,
        },
        isLayered ? { surface: "library" } : {},
      );
      const found = episodes.map((episode) => episode.source_ref ?? "");
      const tokens = countCumulativeTokens(formatted, found.length);
      answers.push({ question, conversation: id, found, tokens });
    }
    return answers;
  });
}

/** Cumulative tokens up to the end of each block of a text; an episode is one block. */
function countCumulativeTokens(text: string, blocks: number): number[] {
  const parts = blocks === 0 ? [] : text.split("\n\n");
  if (parts.length !== blocks) throw new Error(`Expected ${blocks} blocks, got ${parts.length}.`);
  let total = 0;
  return parts.map((part) => {
    total += countTokens(`${part}\n\n`);
    return total;
  });
}

function printReport(all: readonly Answer[]): void {
  const groups: (readonly [string, readonly Answer[]])[] = [
    ...CATEGORIES.map(
      (name, index) =>
        [name, all.filter(({ question }) => question.category === index + 1)] as const,
    ),
    ...[...new Set(all.map(({ conversation }) => conversation))].map(
      (id) => [id, all.filter(({ conversation }) => conversation === id)] as const,
    ),
    ["all", all],
  ];
  printTable(
    [
      "%",
      "questions",
      ...DEPTHS.map((depth) => `R@${depth}`),
      ...DEPTHS.map((depth) => `hit@${depth}`),
      ...BUDGETS.map((budget) => `R in ${budget} tokens`),
    ],
    groups.map(([name, group]) => [
      name,
      group.length,
      ...DEPTHS.map((depth) => percent(mean(group, (answer) => computeRecall(answer, depth)))),
      ...DEPTHS.map((depth) => percent(mean(group, (answer) => computeHit(answer, depth)))),
      ...BUDGETS.map((budget) =>
        percent(mean(group, (answer) => computeRecall(answer, countFitting(answer, budget)))),
      ),
    ]),
  );
}

/** Fraction of the evidence turns among the first `depth` episodes. */
function computeRecall({ question, found }: Answer, depth: number): number {
  const top = new Set(found.slice(0, depth));
  return question.evidence.filter((ref) => top.has(ref)).length / question.evidence.length;
}

function computeHit(answer: Answer, depth: number): number {
  return computeRecall(answer, depth) > 0 ? 1 : 0;
}

/** Number of leading episodes that fit completely into the budget. */
function countFitting({ tokens }: Answer, budget: number): number {
  return tokens.filter((total) => total <= budget).length;
}

function mean(group: readonly Answer[], measure: (answer: Answer) => number): number {
  return group.reduce((sum, answer) => sum + measure(answer), 0) / group.length;
}
