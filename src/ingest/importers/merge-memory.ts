import type { EpisodeRecord, Memory } from "../../memory/index.ts";
import {
  type ExecuteOptions,
  type InputOf,
  type PassageRecord,
  passageIdsByKey,
  type SourceRecord,
  storedPassages,
  storedSources,
} from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { KnownItems } from "./existing-items.ts";
import { heldImportInput } from "./import-input.ts";
import { loadKnownItems } from "./load-existing-items.ts";
import {
  CAIRN,
  idIn,
  isTask,
  memoryAsSource,
  readConcepts,
  readEpisodes,
} from "./memory-as-source.ts";
import type { Op } from "./op-writer.ts";
import { type ApplyResult, type ImportReport, runImport } from "./run-import.ts";

export interface MergeWork {
  readonly from: Memory;
  readonly into: Memory;
  readonly dryRun: boolean;
  readonly caller?: Caller;
  readonly signal?: AbortSignal;
}

export interface MergeCollision {
  readonly statement: string;
  readonly against: { readonly id: string; readonly statement: string };
}

export interface MergeReport extends ImportReport {
  readonly ops: readonly Op[];
  readonly collisions: readonly MergeCollision[];
}

const MAX_REHEARSED = 5000;

/**
 * Merges one memory into another as a changeset. Deduplicates items with equal text; reports
 * colliding facts without superseding them.
 */
export async function mergeMemory(work: MergeWork): Promise<MergeReport> {
  const { from, into } = work;
  const changes: string[] = [];
  // Import sources first, so that passage references resolve to target ids.
  const sources = await mergeSources({ ...work, options: executeOptions(work, changes) });
  const known = await loadKnownItems(into, CAIRN);
  await mapEqualItems(from, into, known);
  const ops: Op[] = [];
  const collisions: MergeCollision[] = [];
  const report = await runImport({
    memory: into,
    importer: memoryAsSource(from, sources.ids),
    input: heldImportInput(new Uint8Array(), from.name),
    options: {},
    known,
    ...(work.signal !== undefined && { signal: work.signal }),
    apply: async (batch, onChange) => {
      const offset = ops.length;
      ops.push(...batch);
      if (!work.dryRun) {
        const result = await applyTo(work, batch, { onChange });
        collisions.push(...collectCollisions(batch, result.results));
        return result;
      }
      if (ops.length > MAX_REHEARSED) return NOTHING_MADE;
      try {
        // Later ops refer to items created by earlier ones, so they are validated in one dry run.
        const { results } = await applyTo(work, ops, { dryRun: true });
        collisions.push(...collectCollisions(batch, results.slice(offset)));
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

function executeOptions({ caller, signal }: MergeWork, changes: string[]) {
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

function collectCollisions(
  batch: readonly Op[],
  results: ApplyResult["results"],
): MergeCollision[] {
  return results.flatMap((result, index) => {
    const found = "collisions" in result ? result.collisions : undefined;
    if (!Array.isArray(found)) return [];
    return (found as readonly { id: string; statement: string }[]).map(({ id, statement }) => ({
      statement: String(batch[index]?.content ?? ""),
      against: { id, statement },
    }));
  });
}

/** Maps items with equal text to the existing ones, so that references resolve to them. */
async function mapEqualItems(from: Memory, into: Memory, known: KnownItems): Promise<void> {
  const existing = new Map<string, EpisodeRecord>();
  for await (const episode of readEpisodes(into)) {
    existing.set(textKey(episode), episode);
    if (isTask(episode)) known.addStoredTask(episode.id);
  }
  for await (const episode of readEpisodes(from)) {
    const same = existing.get(textKey(episode));
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
  for await (const { id, title, type } of readConcepts(into)) {
    if (type !== "fact_cluster") known.addStoredConcept(title, id);
  }
}

const textKey = ({ episode_type: type, content }: EpisodeRecord) => JSON.stringify([type, content]);

interface SourceMerge {
  readonly from: Memory;
  readonly into: Memory;
  readonly dryRun: boolean;
  readonly options: ExecuteOptions;
}

interface MergedSources {
  readonly added: number;
  readonly known: number;
  readonly skips: readonly { readonly where: string; readonly reason: string }[];
  /** Passage ids in the target by their ids in the other memory. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Copies sources into another memory. Sources and passages are identified by kind and key, stored
 * once, and stay forgotten if the target forgot them.
 */
async function mergeSources(work: SourceMerge): Promise<MergedSources> {
  const skips: { where: string; reason: string }[] = [];
  const ids = new Map<string, string>();
  let [added, known] = [0, 0];
  for await (const source of storedSources(work.from, work.options)) {
    const existing = await sourceThere(work, source);
    const before = await passageIdsByKey(work.into, existing, work.options);
    const ours = await bringOver(work, source, { isNew: existing === undefined, before });
    if (ours === undefined) {
      const where = `${source.id} (${source.kind}: ${source.title})`;
      skips.push({ where, reason: "forgotten in the target" });
      continue;
    }
    const target = existing ?? (await sourceThere(work, source));
    const now = await passageIdsByKey(work.into, target, work.options);
    for (const [id, key] of ours) {
      if (before.has(key)) known += 1;
      else added += 1;
      const other = now.get(key);
      if (other !== undefined) ids.set(id, other);
    }
  }
  return { added, known, skips, ids };
}

async function sourceThere({ into, options }: SourceMerge, { kind, key }: SourceRecord) {
  const { sources } = await into.execute("list_sources", { kind, key, limit: 1 }, options);
  return sources[0];
}

interface Target {
  readonly isNew: boolean;
  readonly before: ReadonlyMap<string, string>;
}

async function bringOver(
  { from, into, dryRun, options }: SourceMerge,
  source: SourceRecord,
  { isNew, before }: Target,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { kind, key, title, place, mark } = source;
  const name = { kind, key, title, ...(place !== null && { place }) };
  const keys = new Map<string, string>();
  for await (const passages of storedPassages(from, source, options)) {
    for (const { id, key: own } of passages) keys.set(id, own);
    const added = passages.filter((passage) => !before.has(passage.key));
    if (dryRun || added.length === 0) continue;
    const read = await into.execute(
      "read_source",
      {
        ...name,
        ...(isNew && mark !== null && { mark }),
        passages: added.map((passage) => newPassage(passage, keys)),
      },
      options,
    );
    if (read.forgotten) return undefined;
  }
  return keys;
}

function newPassage(
  { key, role, by, text, files, branch, reverts, occurred_at: at }: PassageRecord,
  keys: ReadonlyMap<string, string>,
): InputOf<"read_source">["passages"][number] {
  const takesBack = reverts === null ? undefined : keys.get(reverts);
  return {
    ...{ key, role, by, text, files, occurred_at: at },
    ...(branch !== null && { branch }),
    ...(takesBack !== undefined && { reverts: takesBack }),
  };
}
