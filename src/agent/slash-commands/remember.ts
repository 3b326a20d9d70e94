import { basename } from "node:path";
import {
  classifyStatement,
  hasEffect,
  keptText,
  type Statement,
} from "../../ingest/capture/index.ts";
import type { Memory } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type {
  ImmediateContext,
  SlashCommand,
  SlashCommandContext,
} from "../ports/slash-command.ts";
import { settleOverlap } from "./settle-overlap.ts";

export const keep: SlashCommand = {
  name: "keep",
  argument: { name: "numbers" },
  summary: "Keep in memory what the agent offered at the end of its work: all of it, or by number",
  async run(context, args) {
    const { dialogue, thread } = context;
    writableMemoryOf(context);
    const result = await thread.keepOffers(args.match(/\d+/g)?.map(Number));
    if (result === undefined) {
      dialogue.info("Nothing is offered.");
      return;
    }
    const { kept, change } = result;
    const [first] = kept;
    if (first === undefined) {
      dialogue.info("The memory holds that already.");
      return;
    }
    const remembered = `Remembered as ${kept.map(({ id }) => id).join(", ")}`;
    // To forget the new one would not bring back what it replaced.
    if (hasEffect(kept) && change !== undefined) {
      dialogue.success(`${remembered}: ${keptText(kept)}. \`cairn undo ${change}\` takes it back.`);
    } else dialogue.success(`${remembered}. /forget ${first.id} takes it back.`);
  },
};

export const forget: SlashCommand = {
  name: "forget",
  argument: { name: "ep:N", required: "Name the episode to forget" },
  summary: "Take back something that was remembered",
  async run(context, args) {
    const memory = writableMemoryOf(context);
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
    context.dialogue.success(`Forgot ${args}. \`cairn restore ${args}\` brings it back.`);
  },
};

export const recall: SlashCommand = {
  name: "recall",
  argument: { name: "query", required: "Say what to look for" },
  summary: "Show what the memory holds about something",
  immediate: true,
  async run(context, args) {
    const { dialogue, signal } = context;
    const found = await memoryOf(context).execute("recall", { query: args }, { signal });
    if (dialogue.show !== undefined) dialogue.show({ kind: "recall", query: args, found });
    else dialogue.print(found.formatted.trim() || "Nothing was found.");
  },
};

export const remember: SlashCommand = {
  name: "remember",
  argument: { name: "text", required: "Say what to remember" },
  summary: "Keep something in the memory of this project, and settle what it contradicts",
  async run(context, args) {
    const memory = writableMemoryOf(context);
    const statement = classifyStatement(args);
    const { id, fact_id: factId, collisions } = await store(context, memory, statement);
    const { episodeType, content } = statement;
    context.dialogue.success(`Remembered as ${id} (${episodeType}). /forget ${id} takes it back.`);
    await settleOverlap(context, memory, { id, factId, episodeType, content, collisions });
  },
};

function store(context: SlashCommandContext, memory: Memory, statement: Statement) {
  const { threadId } = context.thread;
  const { episodeType, content, entities } = statement;
  // Facts are compared with those about the same things; one that names nothing is about the project.
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

/** The memory for reading. Throws invalid_input where the config switches it off. */
function memoryOf({ memory, settings }: MemoryContext): Memory {
  if (memory !== undefined && settings.memory !== "off") return memory;
  throw invalidInput('Memory is off here: set "memory" to "on" in .cairn/config.json to use it.');
}

/** The memory for writing. Throws invalid_input where the config allows reading at most. */
export function writableMemoryOf(context: MemoryContext): Memory {
  const memory = memoryOf(context);
  if (context.settings.memory === "on") return memory;
  throw invalidInput(
    'Memory is only read here: set "memory" to "on" in .cairn/config.json to write to it.',
  );
}
