import type { ConflictRecord, FactRecord, Memory } from "../../memory/index.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";
import { type Decided, oneByOne } from "./one-by-one.ts";

export const conflicts: SlashCommand = {
  name: "conflicts",
  summary: "Go through the open conflicts, one by one",
  async run(context) {
    const memory = writableMemoryOf(context);
    const open = await openConflicts(context, memory);
    if (open.length === 0) {
      context.dialogue.info("There are no open conflicts.");
      return;
    }
    const settled = await oneByOne(context, {
      items: open,
      idOf: ({ id }) => id,
      describe,
      question: "Which one holds? [1], [2], [d]ismiss (both may)",
      again: "Please answer 1, 2, d, s or q; a note may follow 1, 2 and d.",
      answers: ANSWERS,
      settle: (decided) => settle(memory, decided, context.signal),
    });
    const dismissed = settled.filter((key) => key === "d").length;
    const resolved = settled.length - dismissed;
    const left = open.length - settled.length;
    context.dialogue.info(`${resolved} resolved, ${dismissed} dismissed, ${left} still open.`);
  },
};

const ANSWERS = [
  { key: "1", label: "the first holds" },
  { key: "2", label: "the second holds" },
  { key: "d", label: "dismiss, both may hold", word: "dismiss" },
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
  return [title, `[1] ${side(item.fact_a)}`, `[2] ${side(item.fact_b)}`].join("\n");
}

function side(side: FactRecord): string {
  const origin = [
    side.asserted_by ? `by ${side.asserted_by}` : "",
    side.created_at.slice(0, 10),
    side.source_ref ?? "",
  ].filter((part) => part !== "");
  const provenance = origin.length === 0 ? "" : `\n    ${side.id}, ${origin.join(", ")}`;
  return `${side.statement.replace(/\n/g, "\n    ")}${provenance}`;
}

/** What was done, in a sentence. */
async function settle(
  memory: Memory,
  { item, key, note }: Decided<ConflictRecord>,
  signal: AbortSignal,
): Promise<string> {
  const given = { conflict_id: item.id, resolved_by: "user", ...(note !== "" && { note }) };
  if (key === "d") {
    await memory.execute("dismiss_conflict", given, { signal, surface: "agent" });
    return `${item.id} dismissed: both facts stay.`;
  }
  const winner = key === "1" ? item.fact_a : item.fact_b;
  await memory.execute(
    "resolve_conflict",
    { ...given, winning_fact_id: winner.id },
    { signal, surface: "agent" },
  );
  return `${item.id} resolved: ${winner.id} holds.`;
}
