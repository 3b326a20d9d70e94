import { learnFromSources } from "../../src/ingest/sources/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";
import { measure } from "../sessions/measure.ts";
import { readBench, type Turn } from "../sessions/tasks.ts";
import { withTemporaryMemory } from "../support/temporary-memory.ts";

export interface MeasuredSuperseding {
  readonly arm: string;
  readonly conversations: number;
  readonly kept: number;
  readonly proposed: number;
  /** Tasks of which a later conversation replaced what an earlier one had settled. */
  readonly superseding: number;
  /** Statements that were replaced by one of a conversation about something else. */
  readonly falseSupersessions: readonly string[];
  readonly disputes: number;
  /** Tasks of which a recall of what was learned tells the former rule alone. */
  readonly stale: number;
  /** Of the processor, per conversation. */
  readonly milliseconds: number;
}

const FIRST_DAY = Date.parse("2026-01-01T09:00:00Z");
const DAY = 24 * 60 * 60 * 1000;

/** Learns by rules from all conversations of an arm, kept in one memory as if they were of one project. */
export function measureSuperseding(
  file: string,
  arm: "conversation" | "amended",
): Promise<MeasuredSuperseding> {
  const { tasks, decoys } = readBench(file, arm);
  const conversations = [
    ...tasks.flatMap(({ codebase, chats }) =>
      chats.slice(0, 1).map((chat) => ({ codebase, chat })),
    ),
    ...decoys.map((chat, index) => ({ codebase: `other ${index + 1}`, chat })),
    ...tasks.flatMap(({ codebase, chats }) => chats.slice(1).map((chat) => ({ codebase, chat }))),
  ];
  return withTemporaryMemory(undefined, async (memory) => {
    const about = new Map<string, string>();
    for (const [day, { codebase, chat }] of conversations.entries()) {
      about.set(await keepConversation(memory, day, chat), codebase);
    }
    const began = process.cpuUsage();
    const learned = await learnFromSources(memory, { accept: "auto", run: "bench" });
    const spent = process.cpuUsage(began);
    const ofEpisode = new Map(learned.kept.map(({ id, source }) => [id, about.get(source)]));
    const superseding = new Set<string>();
    const falseSupersessions: string[] = [];
    for (const { source, replaced, content } of learned.kept) {
      for (const former of replaced) {
        const codebase = about.get(source) ?? "";
        if (ofEpisode.get(former.id) === codebase) superseding.add(codebase);
        else falseSupersessions.push(`“${content}” replaced “${former.content}”`);
      }
    }
    let stale = 0;
    for (const task of tasks) {
      const query = { query: task.bug_report, k: 0, episode_k: 10 };
      const { episodes } = await memory.execute("recall", query);
      if (measure(task, episodes.map(({ content }) => content).join("\n")).isStale) stale += 1;
    }
    return {
      arm,
      conversations: conversations.length,
      kept: learned.kept.length,
      proposed: learned.proposed.length,
      superseding: superseding.size,
      falseSupersessions,
      disputes: learned.kept.flatMap(({ disputed }) => disputed).length,
      stale,
      milliseconds: (spent.user + spent.system) / 1000 / conversations.length,
    };
  });
}

/** Resolves to the id of its source. */
async function keepConversation(
  memory: MemoryEngine,
  day: number,
  chat: readonly Turn[],
): Promise<string> {
  const { id } = await memory.execute("read_source", {
    ...{ kind: "bench", key: `conversation ${day}`, title: `Conversation ${day}` },
    passages: chat.map(({ by, text }, index) => ({
      ...{ key: `${index}`, by, text },
      occurred_at: new Date(FIRST_DAY + day * DAY + index * 1000).toISOString(),
    })),
  });
  if (id === null) throw new Error("The conversation was not kept.");
  return id;
}
