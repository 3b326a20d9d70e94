/**
 * Evidence recall on LoCoMo conversations: how many of the turns that answer a question are among
 * the first n episodes (R@n), for how many questions at least one is (hit@n), and how many are within
 * the first tokens of the text that a model is given. One database for each conversation; questions
 * without an answer left out.
 *
 *   npx tsx bench/locomo.ts <locomo.json> [--engine postgres | --database postgres://…] [--graph] [--joined] [--layers turns|sessions]
 *
 * `--layers` deals each conversation out to four layers, which are asked in one recall: one turn after the other, so that
 * each has lost its neighbours, or whole sessions. `--joined` puts all conversations into one database; PostgreSQL finds
 * neighbours in a graph with `--graph`, and compares all without it.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ChosenEngine, ENGINE_OPTIONS } from "./support/chosen-engine.ts";
import { bySessions, byTurns, withLayersOf } from "./support/layered-store.ts";
import { type Conversation, parseLocomo, type Question } from "./support/parse-locomo.ts";
import { percent, printTable } from "./support/print-table.ts";
import { defaultEmbedder } from "./support/temporary-memory.ts";

const DEPTHS = [5, 10, 20, 50] as const;
/** Of the formatted answer, as o200k_base counts them. */
const BUDGETS = [500, 1_000, 2_000] as const;
const CATEGORIES = ["multi-hop", "temporal", "open-domain", "single-hop"] as const;

interface Answer {
  readonly question: Question;
  readonly conversation: string;
  /** source_ref of the episodes found, best first. */
  readonly found: readonly string[];
  /** Tokens of the text up to the end of each of them. */
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
if (path === undefined) throw new Error("Give the path of a LoCoMo file.");
const isLayered = given.layers !== undefined;
const dealing = given.layers === "sessions" ? bySessions : byTurns;
await using engine = await ChosenEngine.open(given);
const embedder = defaultEmbedder();
const answers: Answer[] = [];
const conversations = parseLocomo(JSON.parse(readFileSync(path, "utf8")));
for (const together of given.joined ? [conversations] : conversations.map((one) => [one])) {
  answers.push(...(await askAll(together)));
}
await embedder.close();
report(answers);

async function askAll(together: readonly Conversation[]): Promise<Answer[]> {
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
      const tokens = tokensUpTo(formatted, found.length);
      answers.push({ question, conversation: id, found, tokens });
    }
    return answers;
  });
}

/** Tokens up to the end of each block of a text; an episode is a block. */
function tokensUpTo(text: string, blocks: number): number[] {
  const parts = blocks === 0 ? [] : text.split("\n\n");
  if (parts.length !== blocks) throw new Error(`${blocks} episodes are ${parts.length} blocks.`);
  let total = 0;
  return parts.map((part) => {
    total += countTokens(`${part}\n\n`);
    return total;
  });
}

function report(all: readonly Answer[]): void {
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
      ...DEPTHS.map((depth) => percent(mean(group, (answer) => recallOf(answer, depth)))),
      ...DEPTHS.map((depth) => percent(mean(group, (answer) => hitOf(answer, depth)))),
      ...BUDGETS.map((budget) =>
        percent(mean(group, (answer) => recallOf(answer, fitting(answer, budget)))),
      ),
    ]),
  );
}

/** The share of the turns that answer a question which are among the first. */
function recallOf({ question, found }: Answer, depth: number): number {
  const top = new Set(found.slice(0, depth));
  return question.evidence.filter((ref) => top.has(ref)).length / question.evidence.length;
}

function hitOf(answer: Answer, depth: number): number {
  return recallOf(answer, depth) > 0 ? 1 : 0;
}

/** How many of the first fit whole. */
function fitting({ tokens }: Answer, budget: number): number {
  return tokens.filter((total) => total <= budget).length;
}

function mean(group: readonly Answer[], measure: (answer: Answer) => number): number {
  return group.reduce((sum, answer) => sum + measure(answer), 0) / group.length;
}
