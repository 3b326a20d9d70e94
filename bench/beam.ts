/**
 * Evidence recall on BEAM's long chats with an assistant, in the format of LoCoMo: the share of
 * evidence messages among the first n episodes (R@n), by the ability that the question tests. Each
 * chat has its own database, and each message is an episode.
 *
 *   npx tsx bench/beam.ts <beam.json> [--half first|second] [--engine postgres | --database postgres://…]
 *
 * Tune parameters on the first half of the chats and report the second half.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ChosenEngine, ENGINE_OPTIONS } from "./support/chosen-engine.ts";
import { type Conversation, parseLocomo, type Question } from "./support/parse-locomo.ts";
import { percent, printTable } from "./support/print-table.ts";
import { createDefaultEmbedder } from "./support/temporary-memory.ts";

const DEPTHS = [5, 10, 20, 50] as const;

interface Answer {
  readonly question: Question;
  readonly chat: string;
  /** `source_ref` of the returned episodes, best first. */
  readonly found: readonly string[];
}

const {
  values: given,
  positionals: [path],
} = parseArgs({
  options: { ...ENGINE_OPTIONS, half: { type: "string" } },
  allowPositionals: true,
});
if (path === undefined) throw new Error("usage: bench/beam.ts <beam.json>");
await using engine = await ChosenEngine.open(given);
const embedder = createDefaultEmbedder();
const answers: Answer[] = [];
for (const chat of selectHalf(parseLocomo(JSON.parse(readFileSync(path, "utf8"))), given.half)) {
  answers.push(...(await recallAll(chat)));
}
await embedder.close();
printReport(answers);

function selectHalf(
  chats: readonly Conversation[],
  half: string | undefined,
): readonly Conversation[] {
  const middle = Math.ceil(chats.length / 2);
  switch (half) {
    case undefined:
      return chats;
    case "first":
      return chats.slice(0, middle);
    case "second":
      return chats.slice(middle);
    default:
      throw new Error("--half must be first or second.");
  }
}

function recallAll({ id, episodes, questions }: Conversation): Promise<Answer[]> {
  return engine.withMemoryOf(embedder, episodes, async (memory) => {
    const answers: Answer[] = [];
    for (const question of questions) {
      const { episodes: found } = await memory.execute("recall", {
        query: question.text,
        episode_k: Math.max(...DEPTHS),
        min_score: 0,
      });
      answers.push({ question, chat: id, found: found.map((one) => one.source_ref ?? "") });
    }
    return answers;
  });
}

function printReport(all: readonly Answer[]): void {
  const groups: (readonly [string, readonly Answer[]])[] = [
    ...namesIn(all, ({ question }) => String(question.category)),
    ...namesIn(all, ({ chat }) => chat),
    ["all", all],
  ];
  printTable(
    ["%", "questions", ...DEPTHS.map((depth) => `R@${depth}`)],
    groups.map(([name, group]) => [
      name,
      group.length,
      ...DEPTHS.map((depth) => percent(computeMeanRecall(group, depth))),
    ]),
  );
}

function namesIn(all: readonly Answer[], nameOf: (answer: Answer) => string) {
  const names = [...new Set(all.map(nameOf))].sort();
  return names.map((name) => [name, all.filter((answer) => nameOf(answer) === name)] as const);
}

function computeMeanRecall(group: readonly Answer[], depth: number): number {
  const shares = group.map(({ question, found }) => {
    const top = new Set(found.slice(0, depth));
    return question.evidence.filter((ref) => top.has(ref)).length / question.evidence.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / group.length;
}
