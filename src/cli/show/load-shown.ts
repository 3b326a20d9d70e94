import type { FactRecord, MemoryEngine, OutputOf } from "../../memory/index.ts";
import { isCairnError, notFound } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { completeId } from "../complete-ids.ts";

type ItemFields = Readonly<Record<string, unknown>>;

export interface Shown {
  readonly item: ItemFields;
  /** Absent for events and changes, which are history themselves. */
  readonly history?: OutputOf<"history">;
  /** All facts of the fact's cluster, if there are several. */
  readonly facts?: readonly FactRecord[];
}

interface FoundItem {
  readonly id: string;
  readonly kind: string;
}

export async function loadShown(memory: MemoryEngine, written: string): Promise<Shown> {
  const [, noun, number] = /^(event|change):([1-9]\d*)$/.exec(written) ?? [];
  if (noun === "event") return { item: await loadEvent(memory, Number(number)) };
  if (noun === "change") return { item: await loadChange(memory, Number(number)) };
  const history = await memory.execute("history", { id: await completeId(memory, written) });
  const item = await loadItem(memory, history);
  const facts = await loadTimeline(memory, item);
  return { item, history, ...(facts.length > 1 && { facts }) };
}

async function loadEvent(memory: MemoryEngine, seq: number): Promise<ItemFields> {
  const { events } = await memory.execute("events", { since_seq: seq - 1, limit: 1 });
  const [event] = events;
  if (event?.seq !== seq)
    throw notFound(`id: there is no event:${seq}; \`cairn events\` lists them`);
  return { event };
}

async function loadChange(memory: MemoryEngine, number: number): Promise<ItemFields> {
  const after = number > 1 ? { after: `change:${number - 1}` } : {};
  const query = { ...after, before: `change:${number + 1}`, diff: true, limit: 1 };
  const [change] = (await memory.execute("changes", query)).changes;
  if (change === undefined) {
    throw notFound(`id: there is no change:${number}; \`cairn log\` lists them`);
  }
  return { change };
}

async function loadTimeline(
  memory: MemoryEngine,
  { episode, concept }: ItemFields,
): Promise<readonly FactRecord[]> {
  if (isPlainObject(concept)) return Array.isArray(concept.facts) ? concept.facts : [];
  if (!isPlainObject(episode) || typeof episode.fact_id !== "string") return [];
  return (await memory.execute("get_fact", { fact_id: episode.fact_id })).timeline;
}

async function loadItem(memory: MemoryEngine, { id, kind }: FoundItem): Promise<ItemFields> {
  switch (kind) {
    case "episode":
      return addUndoneState(async () => ({
        episode: await memory.execute("get_episode", { episode_id: id }),
      }));
    case "concept":
      return addUndoneState(async () => ({
        concept: await memory.execute("get_concept", { concept_id: id }),
      }));
    case "fact":
      return addUndoneState(async () => {
        const { episode_id } = await memory.execute("get_fact", { fact_id: id });
        return { episode: await memory.execute("get_episode", { episode_id }) };
      });
    case "conflict": {
      const { conflicts } = await memory.execute("list_conflicts", { status: "all" });
      const conflict = conflicts.find((one) => one.id === id);
      return conflict === undefined ? {} : { conflict };
    }
    case "entity":
      return addUndoneState(async () => ({
        entity: await memory.execute("inspect_entity", { entity_id: id }),
      }));
    case "source":
      return addUndoneState(async () => ({
        source: (await memory.execute("get_source", { source_id: id, limit: 500 })) as ItemFields,
      }));
    case "passage":
      return addUndoneState(async () => ({
        passage: await memory.execute("get_passage", { passage_id: id }),
      }));
    case "proposal": {
      const { proposals } = await memory.execute("list_proposals", { status: "all" });
      const proposal = proposals.find((one) => one.id === id);
      return proposal === undefined ? {} : { proposal };
    }
    case "topic":
      return addUndoneState(async () => ({
        topic: await memory.execute("topic_overview", { topic_id: id }),
      }));
    default: {
      const scope = `label:${id}`;
      return { label: (await memory.execute("snapshot", { scopes: [scope] }))[scope] };
    }
  }
}

async function addUndoneState(load: () => Promise<ItemFields>): Promise<ItemFields> {
  try {
    return await load();
  } catch (error) {
    if (isCairnError(error) && error.code === "not_found") return {};
    throw error;
  }
}
