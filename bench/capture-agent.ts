/**
 * Measures what an agent remembers from labelled conversations, given cairn's own instructions and
 * tools.
 *
 *   npx tsx bench/capture-agent.ts --data FILE [--only ID] [--limit N] [--learn] [--json OUT]
 *
 * Plays each conversation turn by turn with the configured provider (`llm` settings). The model
 * sees the instructions of the MCP server, the `remember` tool, and the conversation with the
 * recorded replies of the assistant. After each turn it may call `remember`. With `--learn` it
 * gets the prompt of `learn.with` instead, one conversation per request. Each item is compared
 * with the labels of its turn: right if it contains 60 % of the words of a `keep`, neutral for a
 * `may`, junk otherwise.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadConfig } from "../src/config/index.ts";
import { createModelMaker, learnFromPassages } from "../src/ingest/learning/index.ts";
import { createModelClient, type ModelClient, type ModelMessage } from "../src/llm/index.ts";
import { createOperations } from "../src/memory/index.ts";
import { createExposedTools, createInstructions } from "../src/server/mcp/index.ts";
import { isPlainObject } from "../src/shared/json.ts";
import { printTable } from "./support/print-table.ts";

interface Label {
  readonly quote: string;
  readonly same?: string | readonly string[];
}

interface Conversation {
  readonly id: string;
  readonly project?: string;
  readonly turns: readonly {
    readonly by: "user" | "assistant";
    readonly text: string;
    readonly keep?: readonly Label[];
    readonly may?: readonly Label[];
  }[];
}

interface Item {
  readonly conversation: string;
  /** Turn that the item came from; undefined if unknown. */
  readonly turn: number | undefined;
  readonly text: string;
  verdict?: "right" | "neutral" | "junk";
}

const MAX_TURN_CHARACTERS = 8_000;
/** Number of earlier messages in the model's context. */
const MAX_MESSAGES = 40;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    only: { type: "string" },
    limit: { type: "string" },
    learn: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
if (values.data === undefined)
  throw new Error("--data is required: the file of labelled conversations");
const data: { readonly conversations: readonly Conversation[] } = JSON.parse(
  readFileSync(values.data, "utf8"),
);
const conversations = data.conversations
  .filter(({ id }) => values.only === undefined || id.startsWith(values.only))
  .slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
const { settings } = loadConfig({ cwd: process.cwd(), env: process.env, reader: "person" });
const CHOICE = { interface: "a", tools: "core", structured: false } as const;
const remember = createExposedTools(createOperations(), CHOICE).get("remember")?.description;
const model = createModelClient(settings);
const signal = new AbortController().signal;
const items: Item[] = [];
for (const conversation of conversations) {
  const found = values.learn
    ? await collectLearned(model, conversation)
    : await collectRemembered(model, conversation);
  items.push(...found);
  process.stderr.write(`${conversation.id}: ${found.length}\n`);
}

/**
 * Plays the conversation. Each remembered item is assigned to the turn in which it was remembered.
 */
async function collectRemembered(
  client: ModelClient,
  { id, turns }: Conversation,
): Promise<readonly Item[]> {
  const system = `You are a coding agent. ${createInstructions(CHOICE)}`;
  const { name = "remember", description = "", inputSchema = {} } = remember ?? {};
  const tool = { name, description, inputSchema };
  const messages: ModelMessage[] = [];
  const found: Item[] = [];
  for (const [turn, { by, text }] of turns.entries()) {
    messages.push({ role: by, content: text.slice(0, MAX_TURN_CHARACTERS) });
    const isTurnOver =
      by === "assistant" ? turns[turn + 1]?.by !== "assistant" : turn === turns.length - 1;
    if (!isTurnOver) continue;
    const asked: ModelMessage = {
      role: "user",
      content:
        "[The turn is over. Call `remember` for what it settled, if anything; then reply with OK.]",
    };
    const { toolCalls } = await client.answer({
      ...{ system, tools: [tool], signal },
      messages: [...messages.slice(-MAX_MESSAGES), asked],
    });
    for (const call of toolCalls) {
      const input = isPlainObject(call.input) ? call.input : {};
      if (typeof input.content === "string")
        found.push({ conversation: id, turn, text: input.content });
    }
  }
  return found;
}

/** Returns the items that `learn.with` extracts from the whole conversation. */
async function collectLearned(
  client: ModelClient,
  { id, turns }: Conversation,
): Promise<readonly Item[]> {
  const maker = createModelMaker({
    ask: async ({ system, prompt }) =>
      (
        await client.answer({
          system,
          messages: [{ role: "user", content: prompt }],
          tools: [],
          signal,
        })
      ).text,
    known: [],
    maySpend: () => true,
    tally: { requests: 0, leftOut: 0, unreadable: 0 },
  });
  const passages = turns.map(({ by, text }, turn) => ({ id: `passage:${turn}`, by, text }));
  const verdicts = await learnFromPassages(passages, { makers: [maker] });
  return verdicts.flatMap(({ verdict, claim }) =>
    verdict === "accept"
      ? [
          {
            conversation: id,
            turn: Number(claim.evidence[0]?.slice("passage:".length)),
            text: claim.text,
          },
        ]
      : [],
  );
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]+/gu;
const splitWords = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** Fraction of the needed words that the other text contains. */
function computeOverlap(needed: readonly string[], text: string): number {
  const left = [...splitWords(text)];
  const found = needed.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return found.length / Math.max(1, needed.length);
}

const MIN_OVERLAP = 0.6;
const statements = new Map<string, boolean>();
for (const { id, project = id, turns } of conversations) {
  const own = items.filter(({ conversation }) => conversation === id);
  for (const [turn, { keep = [], may = [] }] of turns.entries()) {
    // An agent remembers at the end of its turn, up to three messages after the statement.
    const near = own.filter(
      (item) => item.turn !== undefined && item.turn >= turn && item.turn - turn <= 3,
    );
    const covers = ({ quote }: Label, item: Item) =>
      computeOverlap(splitWords(quote), item.text) >= MIN_OVERLAP;
    for (const [index, label] of keep.entries()) {
      const names =
        label.same === undefined
          ? [`${id} ${turn} ${index}`]
          : [label.same].flat().map((same) => `${project} ${same}`);
      const hits = near.filter((item) => covers(label, item));
      for (const item of hits) item.verdict = "right";
      for (const name of names)
        statements.set(name, (statements.get(name) ?? false) || hits.length > 0);
    }
    for (const item of near)
      if (item.verdict === undefined && may.some((label) => covers(label, item)))
        item.verdict = "neutral";
  }
  for (const item of own) item.verdict ??= "junk";
}

const count = (verdict: Item["verdict"]) => items.filter((item) => item.verdict === verdict).length;
const users = conversations.flatMap(({ turns }) => turns).filter(({ by }) => by === "user").length;
const [right, junk] = [count("right"), count("junk")];
const got = [...statements.values()].filter(Boolean).length;
const percent = (part: number, whole: number) =>
  whole === 0 ? "-" : ((100 * part) / whole).toFixed(1);
printTable(
  [
    "model",
    "conversations",
    "user turns",
    "remembered",
    "precision %",
    "recall %",
    "junk per 100 turns",
  ],
  [
    [
      ...[model.model, String(conversations.length), String(users), String(items.length)],
      ...[percent(right, right + junk), percent(got, statements.size), percent(junk, users)],
    ],
  ],
);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(items, null, 1));
