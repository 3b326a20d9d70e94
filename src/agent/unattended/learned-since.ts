import type { EventRecord, Memory } from "../../memory/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import { shortenLine } from "../../shared/text.ts";

const AT_ONCE = 10_000;
const MOST = 200;

/** The number of the last change; null: there is no memory yet. */
export async function lastChange(memory: Memory | undefined): Promise<number | null> {
  if (memory === undefined || !(await memory.isThere())) return null;
  for (let since = 0; ; ) {
    const page = await memory.execute("events", { since_seq: since, limit: AT_ONCE });
    since = page.next_since_seq;
    if (page.count < AT_ONCE) return since;
  }
}

/**
 * What memory took in after a change, each with its id: what was remembered, concepts that were made, and
 * what waits for the person.
 */
export async function learnedSince(
  memory: Memory | undefined,
  seq: number | null,
): Promise<readonly string[]> {
  if (memory === undefined || !(await memory.isThere())) return [];
  const found: string[] = [];
  for (let since = seq ?? 0; found.length < MOST; ) {
    const page = await memory.execute("events", { since_seq: since, limit: AT_ONCE });
    for (const event of page.events) found.push(...(await wordsOf(memory, event)));
    if (page.count < AT_ONCE) break;
    since = page.next_since_seq;
  }
  return found.slice(0, MOST);
}

async function wordsOf(memory: Memory, event: EventRecord): Promise<readonly string[]> {
  if (event.kind === "concept_created") {
    return [`${event.subject_id}: ${shortenLine(String(event.payload?.title ?? ""), 300)}`];
  }
  if (event.kind === "proposed")
    return [`${event.subject_id} waits for you: nobody could be asked`];
  if (event.kind !== "remembered") return [];
  try {
    const episode = await memory.execute("get_episode", { episode_id: event.subject_id });
    return [`${event.subject_id}: ${shortenLine(episode.content, 300)}`];
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return error.code === "not_found"
      ? [`${event.subject_id} was deleted again`]
      : [`${event.subject_id} (${error.message})`];
  }
}
