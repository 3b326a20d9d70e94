import type { ConflictRecord, FactRecord, Memory } from "../../memory/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { requireWritableMemory } from "./remember.ts";
import { choose } from "./review.ts";

interface Answer {
  readonly key: string;
  readonly label: string;
  readonly word?: string;
}

interface DecidedItem<Item> {
  readonly item: Item;
  readonly key: string;
  readonly note: string;
}

interface ReviewFlow<Item> {
  readonly items: readonly Item[];
  idOf(item: Item): string;
  describe(item: Item, position: string): string;
  readonly question: string;
  readonly again: string;
  readonly answers: readonly Answer[];
  settle(decided: DecidedItem<Item>): Promise<string>;
}

const SKIP_ANSWER: Answer = { key: "s", label: "skip", word: "skip" };
const QUIT_ANSWER: Answer = { key: "q", label: "quit", word: "quit" };

/** Shows and asks about one item after the other. Returns the keys of settled items. */
async function reviewEach<Item>(
  { dialogue }: Pick<SlashCommandContext, "dialogue">,
  work: ReviewFlow<Item>,
): Promise<string[]> {
  const { items, idOf, describe, settle } = work;
  const settled: string[] = [];
  for (const [index, item] of items.entries()) {
    dialogue.print(describe(item, `${index + 1} of ${items.length}`));
    const { key, note } = await askDecision(dialogue, work);
    if (key === QUIT_ANSWER.key) break;
    if (key === SKIP_ANSWER.key) continue;
    try {
      dialogue.success(await settle({ item, key, note }));
      settled.push(key);
    } catch (error) {
      if (!isCairnError(error)) throw error;
      dialogue.error(`${idOf(item)}: ${error.message}`, error.code);
    }
  }
  return settled;
}

async function askDecision(
  dialogue: SlashCommandContext["dialogue"],
  { question, again, answers }: Pick<ReviewFlow<unknown>, "question" | "again" | "answers">,
): Promise<{ readonly key: string; readonly note: string }> {
  const all = [...answers, SKIP_ANSWER, QUIT_ANSWER];
  let query = `${question}, [s]kip, [q]uit`;
  for (;;) {
    const reply = await choose(
      dialogue,
      query,
      all.map(({ key, label }) => ({ key, label })),
    );
    if (/^\s*\/plan\s+exit\s*$/i.test(reply)) return { key: QUIT_ANSWER.key, note: "" };
    const [, text = "", note = ""] = /^\s*(\w+)(?:[\s,:]+([\s\S]*))?$/.exec(reply) ?? [];
    const word = text.toLowerCase();
    const found = all.find((answer) => answer.key === word || answer.word === word);
    if (found !== undefined) return { key: found.key, note: note.trim() };
    query = again;
  }
}

export const conflicts: SlashCommand = {
  name: "conflicts",
  summary: "Review open conflicts one by one",
  async run(context) {
    const memory = requireWritableMemory(context);
    const open = await openConflicts(context, memory);
    if (open.length === 0) {
      context.dialogue.info("There are no open conflicts.");
      return;
    }
    const settled = await reviewEach(context, {
      items: open,
      idOf: ({ id }) => id,
      describe,
      question: "Which one is right? [1], [2], [d]ismiss (both may be)",
      again: "Please answer 1, 2, d, s or q; a note may follow 1, 2 and d.",
      answers: CONFLICT_ANSWERS,
      settle: (decided) => settle(memory, decided, context.signal),
    });
    const dismissed = settled.filter((key) => key === "d").length;
    const resolved = settled.length - dismissed;
    const left = open.length - settled.length;
    context.dialogue.info(`${resolved} resolved, ${dismissed} dismissed, ${left} still open.`);
  },
};

const CONFLICT_ANSWERS = [
  { key: "1", label: "the first is right" },
  { key: "2", label: "the second is right" },
  { key: "d", label: "dismiss, both may be right", word: "dismiss" },
];

async function openConflicts(
  { signal }: SlashCommandContext,
  memory: Memory,
): Promise<readonly ConflictRecord[]> {
  const listed = await memory.execute("list_conflicts", { kind: "fact" }, { signal });
  return listed.conflicts;
}

function describe(item: ConflictRecord, position: string): string {
  const head = `${item.id} (${position}, severity ${item.severity})`;
  const title = item.description ? `${head}: ${item.description}` : head;
  return [title, `[1] ${describeSide(item.fact_a)}`, `[2] ${describeSide(item.fact_b)}`].join("\n");
}

function describeSide(side: FactRecord): string {
  const origin = [
    side.asserted_by ? `by ${side.asserted_by}` : "",
    side.created_at.slice(0, 10),
    side.source_ref ?? "",
  ].filter((part) => part !== "");
  const provenance = origin.length === 0 ? "" : `\n    ${side.id}, ${origin.join(", ")}`;
  return `${side.statement.replace(/\n/g, "\n    ")}${provenance}`;
}

async function settle(
  memory: Memory,
  { item, key, note }: DecidedItem<ConflictRecord>,
  signal: AbortSignal,
): Promise<string> {
  const input = { conflict_id: item.id, resolved_by: "user", ...(note !== "" && { note }) };
  if (key === "d") {
    await memory.execute("dismiss_conflict", input, { signal, surface: "agent" });
    return `${item.id} dismissed: both facts stay.`;
  }
  const winner = key === "1" ? item.fact_a : item.fact_b;
  await memory.execute(
    "resolve_conflict",
    { ...input, winning_fact_id: winner.id },
    { signal, surface: "agent" },
  );
  return `${item.id} resolved: ${winner.id} holds.`;
}
