import { type EpisodeRecord, type Memory, readScope } from "../../memory/index.ts";

/** What fits well into one request: the rest waits for the next time. */
const MAX_EPISODES = 200;
const MAX_CHARACTERS = 60_000;

export interface PendingEpisodes {
  /** One block an episode, oldest first. */
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** Episodes that were not reviewed yet, the oldest ones as far as they fit into one request. */
export async function pendingEpisodes(
  memory: Memory,
  signal: AbortSignal,
): Promise<PendingEpisodes> {
  const { episodes } = await readScope(memory, "pending", { signal });
  const oldestFirst = [...episodes].sort((a, b) => numberOf(a.id) - numberOf(b.id));
  const blocks: string[] = [];
  let characters = 0;
  for (const block of oldestFirst.map(describe)) {
    const fits = characters + block.length <= MAX_CHARACTERS && blocks.length < MAX_EPISODES;
    if (!fits && blocks.length > 0) break;
    blocks.push(block.slice(0, MAX_CHARACTERS));
    characters += block.length;
  }
  return { text: blocks.join("\n\n"), shown: blocks.length, total: episodes.length };
}

function describe(item: EpisodeRecord): string {
  const head = [
    item.id,
    item.fact_id ? `${item.episode_type} ${item.fact_id}` : item.episode_type,
    item.created_at.slice(0, 10),
    ...(item.asserted_by ? [`by ${item.asserted_by}`] : []),
    ...(item.entities.length === 0 ? [] : [item.entities.join(" ")]),
  ];
  return `[${head.join(", ")}]\n${item.content}`;
}

function numberOf(id: string): number {
  return Number(id.split(":")[1] ?? 0);
}
