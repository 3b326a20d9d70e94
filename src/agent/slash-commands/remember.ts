import { basename } from "node:path";
import { classifyStatement, type Statement } from "../../ingest/capture/index.ts";
import type { Memory } from "../../memory/index.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";
import { settleOverlap } from "./settle-overlap.ts";

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
