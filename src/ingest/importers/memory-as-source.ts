import type { ConceptRecord, ConflictRecord, EpisodeRecord, Memory } from "../../memory/index.ts";
import { EventLoopYielder, yieldToEventLoop } from "../../shared/async.ts";
import type {
  ImportedEpisode,
  ImportedRecord,
  ImportedSettlement,
  ImportedSupersession,
  Importer,
} from "./imported.ts";

export const CAIRN = "cairn";
const BATCH_SIZE = 500;

/** Qualifies ids, which are not unique across memories. */
export const idIn = ({ name }: Memory, id: string) => `${name}/${id}`;

/**
 * Yields a memory as import records in dependency order. `passages` contains the target's passage
 * ids.
 */
export function memoryAsSource(from: Memory, passages: ReadonlyMap<string, string>): Importer {
  return {
    name: CAIRN,
    summary: "Another cairn memory",
    recognizes: () => Promise.resolve(false),
    read: () => readRecords(from, passages),
  };
}

async function* readRecords(
  from: Memory,
  passages: ReadonlyMap<string, string>,
): AsyncGenerator<ImportedRecord> {
  for (const topic of (await from.execute("list_topics", {})).topics) {
    yield { kind: "topic", id: topic.id, name: topic.name, description: topic.description };
  }
  const facts = new Map<string, string>();
  const tasks: EpisodeRecord[] = [];
  for (const episode of await oldestFirst(readEpisodes(from))) {
    if (episode.fact_id !== null) facts.set(episode.fact_id, idIn(from, episode.id));
    if (isTask(episode)) tasks.push(episode);
    yield toEpisode(from, episode, passages);
  }
  for (const task of tasks) yield toTask(from, task);
  yield* conceptsAndLinks(from);
  for (const edge of (await from.execute("entity_graph", {})).edges) {
    const { source, target, relation, strength, context } = edge;
    const input = { kind: "entity_relation", source, target, relation, strength } as const;
    yield context === null ? input : { ...input, context };
  }
  yield* readDecisions(from, facts);
}

function toEpisode(
  from: Memory,
  episode: EpisodeRecord,
  passages: ReadonlyMap<string, string>,
): ImportedEpisode {
  const { asserted_by: by, source_ref: ref, session, topic_id: topic } = episode;
  const metadata = {
    ...episode.metadata,
    ...(episode.source_type !== null && { source_type: episode.source_type }),
  } as NonNullable<ImportedEpisode["metadata"]>;
  return {
    kind: "episode",
    id: idIn(from, episode.id),
    content: episode.content,
    type: episode.episode_type,
    entities: episode.entities,
    labels: ownLabels(episode),
    occurredAt: episode.occurred_at ?? episode.created_at,
    processed: episode.processed,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(by !== null && { assertedBy: by }),
    ...(ref !== null && { sourceRef: passages.get(ref) ?? ref }),
    ...(session !== null && { session }),
    ...(topic !== null && { topic }),
  };
}

function ownLabels({ labels }: Pick<EpisodeRecord, "labels">) {
  return labels.filter(({ key, value }) => key !== "import" || value !== CAIRN);
}

export function isTask({ plan_id, spec_ids, depends_on, priority }: EpisodeRecord): boolean {
  return plan_id !== null || priority !== null || spec_ids.length > 0 || depends_on.length > 0;
}

function toTask(from: Memory, task: EpisodeRecord): ImportedRecord {
  const { id, plan_id: plan, spec_ids: specs, depends_on: dependsOn, priority } = task;
  return {
    kind: "task",
    episode: idIn(from, id),
    specs: specs.map((one) => idIn(from, one)),
    dependsOn: dependsOn.map((one) => idIn(from, one)),
    ...(plan !== null && { plan: idIn(from, plan) }),
    ...(priority !== null && { priority }),
  };
}

async function* conceptsAndLinks(from: Memory): AsyncGenerator<ImportedRecord> {
  const concepts: ConceptRecord[] = [];
  for (const concept of await oldestFirst(readConcepts(from))) {
    if (concept.type === "fact_cluster") continue;
    concepts.push(concept);
    yield* toConcept(from, concept);
  }
  const ids = new Set(concepts.map(({ id }) => id));
  for (const { id, relations } of concepts) {
    for (const { type, strength, target_id: target } of relations) {
      if (!ids.has(target)) continue;
      yield { kind: "link", from: idIn(from, id), to: idIn(from, target), type, strength };
    }
  }
}

async function* toConcept(from: Memory, concept: ConceptRecord): AsyncGenerator<ImportedRecord> {
  const detail = await from.execute("get_concept", { concept_id: concept.id });
  yield {
    kind: "concept",
    id: idIn(from, concept.id),
    title: concept.title,
    summary: concept.summary,
    type: concept.type,
    confidence: concept.confidence,
    tags: concept.tags,
    labels: ownLabels(concept),
    from: detail.source_episodes.map(({ id }) => idIn(from, id)),
    ...(concept.topic_id !== null && { topic: concept.topic_id }),
  };
  for (const { episode_id: episode, type, strength, note } of detail.evidence) {
    yield {
      kind: "evidence",
      concept: idIn(from, concept.id),
      episode: idIn(from, episode),
      type,
      strength,
      ...(note !== null && { note }),
    };
  }
}

/** A supersession or resolution with its time, which early versions did not record. */
interface Decision {
  readonly at: string;
  readonly record: ImportedSupersession | ImportedSettlement;
}

/** Yields conflicts, then decisions by time, since only active facts can supersede others. */
async function* readDecisions(
  from: Memory,
  facts: ReadonlyMap<string, string>,
): AsyncGenerator<ImportedRecord> {
  const resolutions: Decision[] = [];
  const { conflicts } = await from.execute("list_conflicts", { status: "all" });
  for (const conflict of conflicts.toReversed()) {
    const [factA, factB] = [facts.get(conflict.fact_a.id), facts.get(conflict.fact_b.id)];
    if (factA === undefined || factB === undefined) continue;
    const { severity, description } = conflict;
    const id = idIn(from, conflict.id);
    yield { kind: "conflict", id, factA, factB, severity, description: description ?? "" };
    if (conflict.status !== "open") resolutions.push(toSettlement(id, conflict, facts));
  }
  // A resolution also supersedes a fact, so it comes first at equal times.
  const decisions = [...resolutions, ...(await readSupersessions(from, facts))];
  for (const { record } of decisions.sort((a, b) => order(a.at, b.at))) yield record;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toSettlement(
  id: string,
  { fact_a, fact_b, winner: won, ...conflict }: ConflictRecord,
  facts: ReadonlyMap<string, string>,
): Decision {
  const { note, resolved_by: by, resolved_at: at } = conflict;
  const winner = won === null ? undefined : facts.get(won);
  const loser = won === fact_a.id ? fact_b : fact_a;
  const until = loser.superseded_by === won ? loser.valid_to : null;
  return {
    at: at ?? "",
    record: {
      kind: "settlement",
      conflict: id,
      ...(winner !== undefined && { winner }),
      ...(winner !== undefined && until !== null && { until }),
      ...(note !== null && { note }),
      ...(by !== null && { by }),
    },
  };
}

async function readSupersessions(
  from: Memory,
  facts: ReadonlyMap<string, string>,
): Promise<Decision[]> {
  const found: Decision[] = [];
  const turn = new EventLoopYielder();
  for (const id of facts.keys()) {
    await turn.yieldIfDue();
    const fact = await from.execute("get_fact", { fact_id: id });
    const { superseded_by: by, superseded_at: at, valid_to: until } = fact;
    const [old, replacement] = [facts.get(id), by === null ? undefined : facts.get(by)];
    if (old === undefined || replacement === undefined) continue;
    found.push({
      at: at ?? "",
      record: {
        kind: "supersession",
        old,
        new: replacement,
        ...(until !== null && { until }),
      },
    });
  }
  return found;
}

export async function* readEpisodes(memory: Memory): AsyncGenerator<EpisodeRecord> {
  for (let page = 1; ; page += 1) {
    const { episodes } = await memory.execute("list_episodes", { page, limit: BATCH_SIZE });
    yield* episodes;
    if (episodes.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}

export async function* readConcepts(memory: Memory): AsyncGenerator<ConceptRecord> {
  for (let page = 1; ; page += 1) {
    const { concepts } = await memory.execute("list_concepts", { page, limit: BATCH_SIZE });
    yield* concepts;
    if (concepts.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}

/** Reverses a newest-first list, since imports need referenced records first. */
async function oldestFirst<T>(newestFirst: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of newestFirst) all.push(one);
  return all.reverse();
}
