import { yieldToEventLoop } from "../kernel/abort.ts";
import type { Caller } from "../kernel/caller.ts";
import { CairnError, isCairnError } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/json.ts";
import { Turn } from "../kernel/turn.ts";
import type { ConceptRecord, EpisodeRecord, Memory } from "../memory/index.ts";
import { heldImportInput } from "./import-input.ts";
import type { ImportedEpisode, ImportedRecord } from "./imported.ts";
import type { Importer } from "./importer.ts";
import type { KnownItems } from "./known-items.ts";
import { loadKnownItems } from "./load-known-items.ts";
import { type MergedSources, mergeSources } from "./merge-sources.ts";
import type { Op } from "./op-writer.ts";
import { type ApplyResult, type ImportReport, runImport } from "./run-import.ts";

export interface MergeWork {
  readonly from: Memory;
  readonly into: Memory;
  /** Nothing is written; what would be is answered all the same. */
  readonly dryRun: boolean;
  /** Who asks for it over a server: the author of what is written. */
  readonly caller?: Caller;
  readonly signal?: AbortSignal;
}

/** A fact that came in and says something else than one that was there. */
export interface MergeCollision {
  readonly statement: string;
  readonly against: { readonly id: string; readonly statement: string };
}

export interface MergeReport extends ImportReport {
  readonly ops: readonly Op[];
  readonly collisions: readonly MergeCollision[];
}

const AT_ONCE = 500;
const SOURCE = "cairn";
/** A dry run of more than these says what would be written, and no longer what would collide. */
const MOST_REHEARSED = 5000;

/**
 * Brings what one memory holds into another, as a changeset: what both hold, word for word, stays
 * once; facts that collide with others are named, and none is superseded for it.
 */
export async function mergeMemory(work: MergeWork): Promise<MergeReport> {
  const { from, into } = work;
  const changes: string[] = [];
  // First, so that what refers to a passage finds it under the name that it has there.
  const sources = await mergeSources({ ...work, options: optionsOf(work, changes) });
  const known = await loadKnownItems(into, SOURCE);
  await noteEqualItems(from, into, known);
  const ops: Op[] = [];
  const collisions: MergeCollision[] = [];
  const report = await runImport({
    memory: into,
    importer: readerOf(from, sources.ids),
    input: heldImportInput(new Uint8Array(), from.name),
    options: {},
    known,
    ...(work.signal !== undefined && { signal: work.signal }),
    apply: async (batch, onChange) => {
      const offset = ops.length;
      ops.push(...batch);
      if (!work.dryRun) {
        const result = await applyTo(work, batch, { onChange });
        collisions.push(...collisionsOf(batch, result.results));
        return result;
      }
      if (ops.length > MOST_REHEARSED) return NOTHING_MADE;
      try {
        // Later ops name what earlier ones make, so all of them are rehearsed together.
        const { results } = await applyTo(work, ops, { dryRun: true });
        collisions.push(...collisionsOf(batch, results.slice(offset)));
      } catch (error) {
        ops.length = offset;
        throw withOffset(error, offset);
      }
      return NOTHING_MADE;
    },
  });
  return {
    ...{ source: from.name, ops, collisions, changed: report.changed },
    added: report.added + sources.added,
    known: report.known + sources.known,
    skipped: report.skipped + sources.skips.length,
    skips: [...report.skips, ...sources.skips],
    changes: [...changes, ...report.changes],
  };
}

function optionsOf({ caller, signal }: MergeWork, changes: string[]) {
  return {
    onChange: (change: string) => changes.push(change),
    ...(caller !== undefined && { caller }),
    ...(signal !== undefined && { signal }),
  };
}

const NOTHING_MADE: ApplyResult = { success: true, dry_run: true, results: [], errors: [] };

function applyTo(
  { into, caller }: MergeWork,
  ops: readonly Op[],
  { dryRun = false, onChange }: { dryRun?: boolean; onChange?: (change: string) => void },
): Promise<ApplyResult> {
  const input = { changeset: JSON.stringify(ops), dry_run: dryRun };
  return into.execute("apply", input, {
    ...(caller !== undefined && { caller }),
    ...(onChange !== undefined && { onChange }),
  });
}

/** Errors count from the first op of the batch, not of all that were rehearsed. */
function withOffset(error: unknown, offset: number): unknown {
  if (!isCairnError(error) || error.code !== "changeset_failed") return error;
  const details = isPlainObject(error.details) ? error.details : {};
  const errors = Array.isArray(details.errors) ? (details.errors as unknown[]) : [];
  const shifted = errors.map((one) =>
    isPlainObject(one) && typeof one.op_index === "number"
      ? { ...one, op_index: one.op_index - offset }
      : one,
  );
  return new CairnError(error.code, error.message, { ...details, errors: shifted });
}

function collisionsOf(batch: readonly Op[], results: ApplyResult["results"]): MergeCollision[] {
  return results.flatMap((result, index) => {
    const found = "collisions" in result ? result.collisions : undefined;
    if (!Array.isArray(found)) return [];
    return (found as readonly { id: string; statement: string }[]).map(({ id, statement }) => ({
      statement: String(batch[index]?.content ?? ""),
      against: { id, statement },
    }));
  });
}

/** What is there under the same words is not brought in, and is what others refer to. */
async function noteEqualItems(from: Memory, into: Memory, known: KnownItems): Promise<void> {
  const there = new Map<string, EpisodeRecord>();
  for await (const episode of episodesOf(into)) there.set(textKey(episode), episode);
  for await (const episode of episodesOf(from)) {
    const same = there.get(textKey(episode));
    const id = idIn(from, episode.id);
    if (same === undefined || known.episode(id) !== undefined) continue;
    known.addStoredEpisode(id, {
      ref: same.id,
      factRef: same.fact_id ?? undefined,
      hash: undefined,
      deleted: false,
      superseded: false,
    });
  }
  for await (const { id, title, type } of conceptsOf(into)) {
    if (type !== "fact_cluster") known.addStoredConcept(title, id);
  }
}

const textKey = ({ episode_type: type, content }: EpisodeRecord) => JSON.stringify([type, content]);

/** Ids of several memories may be equal. */
const idIn = ({ name }: Memory, id: string) => `${name}/${id}`;

/** A memory as a source of records, which refer only to what came before. */
function readerOf(from: Memory, passages: MergedSources["ids"]): Importer {
  return {
    name: SOURCE,
    summary: "Another memory of cairn",
    recognizes: () => Promise.resolve(false),
    read: () => recordsOf(from, passages),
  };
}

async function* recordsOf(
  from: Memory,
  passages: MergedSources["ids"],
): AsyncGenerator<ImportedRecord> {
  for (const topic of (await from.execute("list_topics", {})).topics) {
    yield { kind: "topic", id: topic.id, name: topic.name, description: topic.description };
  }
  const facts = new Map<string, string>();
  for (const episode of await oldestFirst(episodesOf(from))) {
    if (episode.fact_id !== null) facts.set(episode.fact_id, idIn(from, episode.id));
    yield toEpisode(from, episode, passages);
  }
  const concepts: ConceptRecord[] = [];
  for (const concept of await oldestFirst(conceptsOf(from))) {
    if (concept.type === "fact_cluster") continue;
    concepts.push(concept);
    yield* toConcept(from, concept);
  }
  const ids = new Set(concepts.map(({ id }) => id));
  for (const { id, relations } of concepts) {
    for (const { type, target_id: target } of relations) {
      if (!ids.has(target)) continue;
      yield { kind: "link", from: idIn(from, id), to: idIn(from, target), type };
    }
  }
  for (const edge of (await from.execute("entity_graph", {})).edges) {
    const { source, target, relation, strength, context } = edge;
    const given = { kind: "entity_relation", source, target, relation, strength } as const;
    yield context === null ? given : { ...given, context };
  }
  yield* supersessionsOf(from, facts);
  yield* conflictsOf(from, facts);
}

function toEpisode(
  from: Memory,
  episode: EpisodeRecord,
  passages: MergedSources["ids"],
): ImportedEpisode {
  const { metadata, asserted_by: by, source_ref: ref, session, topic_id: topic } = episode;
  return {
    kind: "episode",
    id: idIn(from, episode.id),
    content: episode.content,
    type: episode.episode_type,
    entities: episode.entities,
    labels: episode.labels.filter(({ key, value }) => key !== "import" || value !== SOURCE),
    occurredAt: episode.occurred_at ?? episode.created_at,
    processed: episode.processed,
    ...(metadata !== null && { metadata: metadata as NonNullable<ImportedEpisode["metadata"]> }),
    ...(by !== null && { assertedBy: by }),
    ...(ref !== null && { sourceRef: passages.get(ref) ?? ref }),
    ...(session !== null && { session }),
    ...(topic !== null && { topic }),
  };
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
    labels: concept.labels.filter(({ key, value }) => key !== "import" || value !== SOURCE),
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

async function* supersessionsOf(
  from: Memory,
  facts: ReadonlyMap<string, string>,
): AsyncGenerator<ImportedRecord> {
  const turn = new Turn();
  for (const id of facts.keys()) {
    await turn.stepDone();
    const { superseded_by: by, valid_to: until } = await from.execute("get_fact", { fact_id: id });
    const [old, replacement] = [facts.get(id), by === null ? undefined : facts.get(by)];
    if (old === undefined || replacement === undefined) continue;
    yield { kind: "supersession", old, new: replacement, ...(until !== null && { until }) };
  }
}

async function* conflictsOf(
  from: Memory,
  facts: ReadonlyMap<string, string>,
): AsyncGenerator<ImportedRecord> {
  const { conflicts } = await from.execute("list_conflicts", { status: "open" });
  for (const { fact_a: a, fact_b: b, severity, description } of conflicts) {
    const [factA, factB] = [facts.get(a.id), facts.get(b.id)];
    if (factA === undefined || factB === undefined) continue;
    yield {
      kind: "conflict",
      factA,
      factB,
      severity,
      description: description ?? "",
      status: "open",
    };
  }
}

async function* episodesOf(memory: Memory): AsyncGenerator<EpisodeRecord> {
  for (let page = 1; ; page += 1) {
    const { episodes } = await memory.execute("list_episodes", { page, limit: AT_ONCE });
    yield* episodes;
    if (episodes.length < AT_ONCE) return;
    await yieldToEventLoop();
  }
}

async function* conceptsOf(memory: Memory): AsyncGenerator<ConceptRecord> {
  for (let page = 1; ; page += 1) {
    const { concepts } = await memory.execute("list_concepts", { page, limit: AT_ONCE });
    yield* concepts;
    if (concepts.length < AT_ONCE) return;
    await yieldToEventLoop();
  }
}

/** Lists come newest first; what was written first is referred to by what follows. */
async function oldestFirst<T>(newestFirst: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of newestFirst) all.push(one);
  return all.reverse();
}
