import { isCairnError } from "../../kernel/errors.ts";
import type { ConflictRecord, FactRecord, Memory } from "../../memory/index.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";
import { choose } from "./review.ts";

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
    const counts = { resolved: 0, dismissed: 0 };
    for (const [index, item] of open.entries()) {
      context.dialogue.print(describe(item, `${index + 1} of ${open.length}`));
      const decision = await decide(context);
      if (decision.kind === "quit") break;
      if (await carryOut(context, memory, { item, decision })) {
        if (decision.kind === "dismiss") counts.dismissed += 1;
        else counts.resolved += 1;
      }
    }
    const left = open.length - counts.resolved - counts.dismissed;
    context.dialogue.info(
      `${counts.resolved} resolved, ${counts.dismissed} dismissed, ${left} still open.`,
    );
  },
};

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

type Decision =
  | { readonly kind: "winner"; readonly side: "fact_a" | "fact_b"; readonly note: string }
  | { readonly kind: "dismiss"; readonly note: string }
  | { readonly kind: "skip" }
  | { readonly kind: "quit" };

/** `1`, `2` or `d` may be followed by a note. */
async function decide({ dialogue }: SlashCommandContext): Promise<Decision> {
  let question = "Which one holds? [1], [2], [d]ismiss (both may), [s]kip, [q]uit";
  for (;;) {
    const reply = await choose(dialogue, question, CHOICES);
    const match = /^\s*(1|2|d|s|q|dismiss|skip|quit|\/plan\s+exit)(?:[\s,:]+([\s\S]*))?$/i.exec(
      reply,
    );
    const note = (match?.[2] ?? "").trim();
    switch (match?.[1]?.toLowerCase().charAt(0)) {
      case "1":
        return { kind: "winner", side: "fact_a", note };
      case "2":
        return { kind: "winner", side: "fact_b", note };
      case "d":
        return { kind: "dismiss", note };
      case "s":
        return { kind: "skip" };
      case "q":
      case "/":
        return { kind: "quit" };
      default:
        question = "Please answer 1, 2, d, s or q; a note may follow 1, 2 and d.";
    }
  }
}

const CHOICES = [
  { key: "1", label: "the first holds" },
  { key: "2", label: "the second holds" },
  { key: "d", label: "dismiss, both may hold" },
  { key: "s", label: "skip" },
  { key: "q", label: "quit" },
];

/** Whether something was decided. */
async function carryOut(
  { dialogue, signal }: SlashCommandContext,
  memory: Memory,
  { item, decision }: { readonly item: ConflictRecord; readonly decision: Decision },
): Promise<boolean> {
  if (decision.kind === "skip" || decision.kind === "quit") return false;
  try {
    dialogue.success(await settle(memory, { item, decision, signal }));
    return true;
  } catch (error) {
    // Another session, or the decision before, may have settled it already: the rest goes on.
    if (!isCairnError(error)) throw error;
    dialogue.error(`${item.id}: ${error.message}`, error.code);
    return false;
  }
}

interface Settlement {
  readonly item: ConflictRecord;
  readonly decision: Extract<Decision, { readonly note: string }>;
  readonly signal: AbortSignal;
}

/** What was done, in a sentence. */
async function settle(memory: Memory, { item, decision, signal }: Settlement): Promise<string> {
  const given = {
    conflict_id: item.id,
    resolved_by: "user",
    ...(decision.note !== "" && { note: decision.note }),
  };
  if (decision.kind === "dismiss") {
    await memory.execute("dismiss_conflict", given, { signal, surface: "agent" });
    return `${item.id} dismissed: both facts stay.`;
  }
  const winner = item[decision.side];
  await memory.execute(
    "resolve_conflict",
    { ...given, winning_fact_id: winner.id },
    { signal, surface: "agent" },
  );
  return `${item.id} resolved: ${winner.id} holds.`;
}
