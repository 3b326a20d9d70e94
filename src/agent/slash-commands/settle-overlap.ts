import type { Memory, OutputOf } from "../../memory/index.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { choose } from "./review.ts";

type CollisionsOf = NonNullable<OutputOf<"remember">["collisions"]>;

/** Share of common words from which two sentences are taken to speak of the same. */
const LEAST_COMMON = 0.5;

/** Whether two sentences share so many words that they may contradict each other, or say the same. */
function alike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const fewer = Math.min(a.size, b.size);
  if (fewer === 0) return false;
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= 2 && common / fewer >= LEAST_COMMON;
}

/** Words that carry meaning, without their usual endings. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [];
  return new Set(
    words.filter((word) => !SMALL.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")),
  );
}

const SMALL: ReadonlySet<string> = new Set(
  "the and for with that this from are was not but has have our all its when then than into will must should".split(
    " ",
  ),
);

/** What was just remembered. */
export interface Remembered {
  /** Of the episode. */
  readonly id: string;
  readonly factId: string | undefined;
  readonly episodeType: string;
  readonly content: string;
  readonly collisions: CollisionsOf | undefined;
}

/** An item that says something about the same. */
interface Overlap {
  readonly id: string;
  readonly text: string;
}

/** Shows what the new statement may contradict, the closest, and settles it as the person says. */
export async function settleOverlap(
  context: SlashCommandContext,
  memory: Memory,
  remembered: Remembered,
): Promise<void> {
  const overlap = await findOverlap(context, memory, remembered);
  if (overlap === undefined) return;
  const { dialogue, signal } = context;
  const isFact = remembered.factId !== undefined;
  dialogue.print(`This may contradict ${overlap.id}:\n> ${overlap.text.replace(/\n/g, "\n> ")}`);
  const decision = await decide(context, isFact);
  const options = { signal, surface: "agent", session: context.thread.threadId } as const;
  if (decision === "replace" && remembered.factId !== undefined) {
    await memory.execute("supersede", { old: overlap.id, new: remembered.factId }, options);
    dialogue.success(`${overlap.id} is history now; the new one holds.`);
  } else if (decision === "replace") {
    await memory.execute("delete_episode", { episode_id: overlap.id }, options);
    dialogue.success(`Forgot ${overlap.id}. \`cairn restore ${overlap.id}\` brings it back.`);
  } else if (decision === "conflict" && remembered.factId !== undefined) {
    const conflict = { fact_a: overlap.id, fact_b: remembered.factId };
    const { id } = await memory.execute("open_conflict", conflict, options);
    dialogue.success(`Open as ${id}. /conflicts settles it.`);
  } else {
    dialogue.info("Both stay.");
  }
}

type Decision = "replace" | "conflict" | "both";

async function decide({ dialogue }: SlashCommandContext, isFact: boolean): Promise<Decision> {
  const question = isFact
    ? "[r]eplace it, leave it open as a [c]onflict, or do [b]oth hold?"
    : "[r]eplace it, or do [b]oth hold?";
  const choices = [
    { key: "r", label: "replace it" },
    ...(isFact ? [{ key: "c", label: "conflict, decided later" }] : []),
    { key: "b", label: "both hold" },
  ];
  const reply = (await choose(dialogue, question, choices)).trim().toLowerCase();
  if (/^r(eplace)?\b/.test(reply)) return "replace";
  return isFact && /^c(onflict)?\b/.test(reply) ? "conflict" : "both";
}

async function findOverlap(
  { signal }: SlashCommandContext,
  memory: Memory,
  { id, factId, episodeType, content, collisions = [] }: Remembered,
): Promise<Overlap | undefined> {
  if (factId !== undefined) {
    const closest = collisions.find(({ statement }) => alike(statement, content));
    return closest && { id: closest.id, text: closest.statement };
  }
  if (episodeType !== "preference" && episodeType !== "decision") return undefined;
  const query = { query: content, k: 0, episode_k: 5 };
  const { episodes } = await memory.execute("recall", query, { signal });
  const closest = episodes.find(
    (other) =>
      other.id !== id && other.episode_type === episodeType && alike(other.content, content),
  );
  return closest && { id: closest.id, text: closest.content };
}
