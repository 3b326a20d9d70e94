/**
 * Evidence recall on LoCoMo conversations: how many of the turns that answer a question are among
 * the first n episodes. One database for each conversation; questions without an answer left out.
 *
 *   npx tsx bench/locomo.ts <locomo.json>
 */
import { readFileSync } from "node:fs";
import { type Conversation, parseLocomo, type Question } from "./support/parse-locomo.ts";
import { percent, printTable } from "./support/print-table.ts";
import { defaultEmbedder, withMemoryOf } from "./support/temporary-memory.ts";

const DEPTHS = [5, 10, 20, 50] as const;
const CATEGORIES = ["multi-hop", "temporal", "open-domain", "single-hop"] as const;

interface Answer {
  readonly question: Question;
  readonly conversation: string;
  /** source_ref of the episodes found, best first. */
  readonly found: readonly string[];
}

const path = process.argv[2];
if (path === undefined) throw new Error("Give the path of a LoCoMo file.");
const embedder = defaultEmbedder();
const answers: Answer[] = [];
for (const conversation of parseLocomo(JSON.parse(readFileSync(path, "utf8")))) {
  answers.push(...(await askAll(conversation)));
}
await embedder.close();
report(answers);

async function askAll(conversation: Conversation): Promise<Answer[]> {
  return withMemoryOf(embedder, conversation.episodes, async (memory) => {
    const given: Answer[] = [];
    for (const question of conversation.questions) {
      const { episodes } = await memory.execute("recall", {
        query: question.text,
        episode_k: Math.max(...DEPTHS),
      });
      const found = episodes.map((episode) => episode.source_ref ?? "");
      given.push({ question, conversation: conversation.id, found });
    }
    return given;
  });
}

function report(all: readonly Answer[]): void {
  const rows = [
    ...CATEGORIES.map((name, index) =>
      row(
        name,
        all.filter(({ question }) => question.category === index + 1),
      ),
    ),
    ...[...new Set(all.map(({ conversation }) => conversation))].map((id) =>
      row(
        id,
        all.filter(({ conversation }) => conversation === id),
      ),
    ),
    row("all", all),
  ];
  printTable(["evidence recall, %", "questions", ...DEPTHS.map((depth) => `R@${depth}`)], rows);
}

function row(name: string, group: readonly Answer[]): (string | number)[] {
  return [name, group.length, ...DEPTHS.map((depth) => percent(meanRecall(group, depth)))];
}

function meanRecall(group: readonly Answer[], depth: number): number {
  const shares = group.map(({ question, found }) => {
    const top = new Set(found.slice(0, depth));
    return question.evidence.filter((ref) => top.has(ref)).length / question.evidence.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
