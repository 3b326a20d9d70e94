import { basename } from "node:path";
import {
  classifyStatement,
  hasEffect,
  type Statement,
  storedText,
} from "../../ingest/capture/index.ts";
import type { Memory, OutputOf } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type {
  ImmediateContext,
  SlashCommand,
  SlashCommandContext,
} from "../ports/slash-command.ts";
import { choose } from "./review.ts";

type CollisionsOf = NonNullable<OutputOf<"remember">["collisions"]>;

const MIN_COMMON = 0.5;

/** True if two sentences share enough words to contradict or repeat each other. */
function areSimilar(one: string, other: string): boolean {
  const [a, b] = [splitWords(one), splitWords(other)];
  const fewer = Math.min(a.size, b.size);
  if (fewer === 0) return false;
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= 2 && common / fewer >= MIN_COMMON;
}

/** Stems of meaningful words. */
function splitWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [];
  return new Set(
    words
      .filter((word) => !IGNORED_WORDS.has(word))
      .map((word) => word.replace(/(?:ing|ed|es|s)$/, "")),
  );
}

const IGNORED_WORDS: ReadonlySet<string> = new Set(
  "the and for with that this from are was not but has have our all its when then than into will must should".split(
    " ",
  ),
);

interface Remembered {
  readonly id: string;
  readonly factId: string | undefined;
  readonly episodeType: string;
  readonly content: string;
  readonly collisions: CollisionsOf | undefined;
}

interface Overlap {
  readonly id: string;
  readonly text: string;
}

async function settleOverlap(
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
    dialogue.success(`${overlap.id} is now history; the new fact is active.`);
  } else if (decision === "replace") {
    await memory.execute("delete_episode", { episode_id: overlap.id }, options);
    dialogue.success(`Forgot ${overlap.id}. Undo with \`cairn restore ${overlap.id}\`.`);
  } else if (decision === "conflict" && remembered.factId !== undefined) {
    const conflict = { fact_a: overlap.id, fact_b: remembered.factId };
    const { id } = await memory.execute("open_conflict", conflict, options);
    dialogue.success(`Opened ${id}. Resolve it with /conflicts.`);
  } else {
    dialogue.info("Both stay.");
  }
}

type Decision = "replace" | "conflict" | "both";

async function decide({ dialogue }: SlashCommandContext, isFact: boolean): Promise<Decision> {
  const question = isFact
    ? "[r]eplace it, leave it open as a [c]onflict, or are [b]oth right?"
    : "[r]eplace it, or are [b]oth right?";
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
    const closest = collisions.find(({ statement }) => areSimilar(statement, content));
    return closest && { id: closest.id, text: closest.statement };
  }
  if (episodeType !== "preference" && episodeType !== "decision") return undefined;
  const query = { query: content, k: 0, episode_k: 5 };
  const { episodes } = await memory.execute("recall", query, { signal });
  const closest = episodes.find(
    (other) =>
      other.id !== id && other.episode_type === episodeType && areSimilar(other.content, content),
  );
  return closest && { id: closest.id, text: closest.content };
}

export const keep: SlashCommand = {
  name: "keep",
  argument: { name: "numbers" },
  summary: "Store memories that the agent suggested: all, or by number",
  async run(context, args) {
    const { dialogue, thread } = context;
    requireWritableMemory(context);
    const result = await thread.keepOffers(args.match(/\d+/g)?.map(Number));
    if (result === undefined) {
      dialogue.info("There are no suggestions.");
      return;
    }
    const { stored, change } = result;
    const [first] = stored;
    if (first === undefined) {
      dialogue.info("Already remembered.");
      return;
    }
    const remembered = `Remembered as ${stored.map(({ id }) => id).join(", ")}`;
    if (hasEffect(stored) && change !== undefined) {
      dialogue.success(`${remembered}: ${storedText(stored)}. Undo with \`cairn undo ${change}\`.`);
    } else dialogue.success(`${remembered}. Undo with /forget ${first.id}.`);
  },
};

export const forget: SlashCommand = {
  name: "forget",
  argument: { name: "ep:N", required: "Name the episode to forget" },
  summary: "Delete an episode from memory",
  async run(context, args) {
    const memory = requireWritableMemory(context);
    if (!/^ep:\d+$/.test(args)) {
      context.dialogue.error("Name the episode to forget: /forget ep:12", "invalid_input");
      return;
    }
    await memory.execute(
      "delete_episode",
      { episode_id: args },
      {
        signal: context.signal,
        session: context.thread.threadId,
        surface: "agent",
      },
    );
    context.dialogue.success(`Forgot ${args}. Undo with \`cairn restore ${args}\`.`);
  },
};

export const recall: SlashCommand = {
  name: "recall",
  argument: { name: "query", required: "Say what to look for" },
  summary: "Search memory",
  immediate: true,
  async run(context, args) {
    const { dialogue, signal } = context;
    const found = await requireMemory(context).execute("recall", { query: args }, { signal });
    if (dialogue.show !== undefined) dialogue.show({ kind: "recall", query: args, found });
    else dialogue.print(found.formatted.trim() || "Nothing was found.");
  },
};

export const remember: SlashCommand = {
  name: "remember",
  argument: { name: "text", required: "Say what to remember" },
  summary: "Store a memory and resolve contradictions",
  async run(context, args) {
    const memory = requireWritableMemory(context);
    const statement = classifyStatement(args);
    const { id, fact_id: factId, collisions } = await store(context, memory, statement);
    const { episodeType, content } = statement;
    context.dialogue.success(`Remembered as ${id} (${episodeType}). Undo with /forget ${id}.`);
    await settleOverlap(context, memory, { id, factId, episodeType, content, collisions });
  },
};

function store(context: SlashCommandContext, memory: Memory, statement: Statement) {
  const { threadId } = context.thread;
  const { episodeType, content, entities } = statement;
  // A fact without entities is about the project.
  const about = entities.length > 0 ? entities : [projectEntity(context.projectRoot)];
  return memory.execute(
    "remember",
    {
      content,
      episode_type: episodeType,
      entities: episodeType === "fact" ? [...about] : [...entities],
      asserted_by: "user",
      source_type: "slash_command",
    },
    { session: threadId, signal: context.signal, surface: "agent" },
  );
}

function projectEntity(projectRoot: string): string {
  return `project:${basename(projectRoot).replace(/[,\s]+/g, "-") || "project"}`;
}

type MemoryContext = Pick<ImmediateContext, "memory" | "settings">;

/** Throws invalid_input if the config disables memory. */
function requireMemory({ memory, settings }: MemoryContext): Memory {
  if (memory !== undefined && settings.memory !== "off") return memory;
  throw invalidInput('Memory is disabled: set "memory" to "on" in .cairn/config.json to use it.');
}

/** Throws invalid_input if the config allows at most reading. */
export function requireWritableMemory(context: MemoryContext): Memory {
  const memory = requireMemory(context);
  if (context.settings.memory === "on") return memory;
  throw invalidInput(
    'Memory is read-only: set "memory" to "on" in .cairn/config.json to write to it.',
  );
}
