import type { InputOf, Memory, OutputOf, Progress } from "../../memory/index.ts";
import { EventLoopYielder, yieldToEventLoop } from "../../shared/async.ts";
import type { Caller } from "../../shared/caller.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { KnownItems, type MadeItem } from "./existing-items.ts";
import type { ImportInput } from "./import-input.ts";
import type { ImportedRecord, Importer, ImportOptions, SkippedRecord } from "./imported-record.ts";
import { type Op, OpWriter } from "./op-writer.ts";

const BATCH_SIZE = 1000;
const CONCEPTS_PER_BATCH = 500;

async function loadKnownItems(memory: Memory, source: string): Promise<KnownItems> {
  try {
    return await loadAll(memory, source);
  } catch (error) {
    if (isCairnError(error) && error.code === "not_found") return new KnownItems();
    throw error;
  }
}

async function loadAll(memory: Memory, source: string): Promise<KnownItems> {
  const known = new KnownItems();
  for await (const item of loadImportedItems(memory, source)) {
    if (item.import_id === null) continue;
    known.addStoredEpisode(item.import_id, {
      ref: item.id,
      factRef: item.fact_id ?? undefined,
      hash: item.import_hash ?? undefined,
      deleted: item.deleted,
      superseded: item.superseded,
    });
  }
  await loadConcepts(memory, source, known);
  for (const { id, name } of (await memory.execute("list_topics", {})).topics) {
    known.addStoredTopic(name, id);
  }
  const entityEdges = (await memory.execute("entity_graph", {})).edges;
  for (const { source: from, relation, target } of entityEdges)
    known.addEdge(from, relation, target);
  for (const { source: from, type, target } of (await memory.execute("graph", {})).edges) {
    known.addEdge(from, type, target);
  }
  const { conflicts } = await memory.execute("list_conflicts", { status: "all" });
  for (const { fact_a, fact_b } of conflicts) known.addConflict(fact_a.id, fact_b.id);
  return known;
}

async function* loadImportedItems(memory: Memory, source: string) {
  let after: string | undefined;
  for (;;) {
    const page = { source, limit: BATCH_SIZE, ...(after !== undefined && { after }) };
    const { items } = await memory.execute("list_imported", page);
    yield* items;
    after = items.at(-1)?.id;
    if (items.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}

async function loadConcepts(memory: Memory, source: string, known: KnownItems): Promise<void> {
  for (let page = 1; ; page += 1) {
    const { concepts } = await memory.execute("list_concepts", {
      labels: [{ key: "import", value: source }],
      page,
      limit: CONCEPTS_PER_BATCH,
    });
    for (const { id, title } of concepts) known.addStoredConcept(title, id);
    if (concepts.length < CONCEPTS_PER_BATCH) return;
    await yieldToEventLoop();
  }
}

/** Records per transaction; small so that other writers are not blocked for long. */
const RECORDS_PER_TRANSACTION = 250;
/** Maximum number of skipped records that the report lists. */
const MAX_LISTED_SKIPS = 50;

export interface ImportReport {
  readonly source: string;
  readonly added: number;
  readonly changed: number;
  readonly known: number;
  readonly skipped: number;
  readonly skips: readonly { readonly where: string; readonly reason: string }[];
  readonly changes: readonly string[];
}

export interface ImportWork {
  readonly memory: Memory;
  readonly importer: Importer;
  readonly input: ImportInput;
  readonly options: ImportOptions;
  readonly records?: AsyncIterable<ImportedRecord>;
  readonly apply?: (ops: readonly Op[], onChange: (change: string) => void) => Promise<ApplyResult>;
  readonly known?: KnownItems;
  readonly caller?: Caller;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type ApplyResult = OutputOf<"apply">;

type Writable = Exclude<ImportedRecord, SkippedRecord>;

/**
 * Imports a source in transactions of a few hundred records. After an interruption, the next run
 * continues. Rejected records and records that refer to them are skipped with a reason.
 */
export async function runImport(work: ImportWork): Promise<ImportReport> {
  const { memory, importer, input, options } = work;
  const run = new ImportRun(work, work.known ?? (await loadKnownItems(memory, importer.name)));
  let batch: Writable[] = [];
  const turn = new EventLoopYielder();
  for await (const record of work.records ?? importer.read(input, options)) {
    await turn.yieldIfDue();
    work.signal?.throwIfAborted();
    if (record.kind === "skipped") run.skip(record.where, record.reason);
    else batch.push(record);
    if (batch.length < RECORDS_PER_TRANSACTION) continue;
    await run.write(batch);
    batch = [];
  }
  await run.write(batch);
  return run.report();
}

class ImportRun {
  readonly #work: ImportWork;
  readonly #known: KnownItems;
  readonly #writer: OpWriter;
  #added = 0;
  #changed = 0;
  #knownCount = 0;
  #skipped = 0;
  readonly #skips: { where: string; reason: string }[] = [];
  readonly #changes: string[] = [];

  constructor(work: ImportWork, known: KnownItems) {
    this.#work = work;
    this.#known = known;
    this.#writer = new OpWriter(work.importer.name, known);
  }

  skip(where: string, reason: string): void {
    this.#skipped += 1;
    if (this.#skips.length < MAX_LISTED_SKIPS) this.#skips.push({ where, reason });
  }

  async write(records: readonly Writable[]): Promise<void> {
    let remaining = records;
    while (remaining.length > 0) {
      const rejected = await this.#attempt(remaining);
      if (rejected.size === 0) return;
      for (const [record, reason] of rejected) this.skip(describeRecord(record), reason);
      remaining = remaining.filter((record) => !rejected.has(record));
    }
  }

  report(): ImportReport {
    return {
      source: this.#work.importer.name,
      added: this.#added,
      changed: this.#changed,
      known: this.#knownCount,
      skipped: this.#skipped,
      skips: this.#skips,
      changes: this.#changes,
    };
  }

  async #attempt(records: readonly Writable[]): Promise<Map<Writable, string>> {
    const ops: Op[] = [];
    const owners: Writable[] = [];
    const counts = { new: 0, changed: 0, known: 0 };
    const rejected = new Map<Writable, string>();
    for (const record of records) {
      try {
        const written = this.#writer.write(record);
        counts[written.outcome] += 1;
        ops.push(...written.ops);
        owners.push(...written.ops.map(() => record));
      } catch (error) {
        if (!isCairnError(error)) throw error;
        rejected.set(record, error.message);
      }
    }
    if (rejected.size === 0 && ops.length > 0) {
      for (const [index, reason] of await this.#apply(ops)) {
        const record = owners[index];
        if (record !== undefined && !rejected.has(record)) rejected.set(record, reason);
      }
    }
    if (rejected.size > 0) this.#known.rollBack();
    else {
      this.#added += counts.new;
      this.#changed += counts.changed;
      this.#knownCount += counts.known;
      const done = this.#added + this.#changed + this.#knownCount + this.#skipped;
      this.#work.onProgress?.({ stage: "Importing", done, total: 0 });
    }
    return rejected;
  }

  /** Returns the rejection reason by op index; empty if the ops were stored. */
  async #apply(ops: readonly Op[]): Promise<Map<number, string>> {
    const { apply = applyToMemory(this.#work) } = this.#work;
    try {
      const { results } = await apply(ops, (change) => this.#changes.push(change));
      this.#known.settle(createdItems(results));
      return new Map();
    } catch (error) {
      const reasons = rejectionReasons(error);
      if (reasons.size === 0) throw error;
      return reasons;
    }
  }
}

function applyToMemory({ memory, caller }: ImportWork): NonNullable<ImportWork["apply"]> {
  return (ops, onChange) => {
    const input: InputOf<"apply"> = { changeset: JSON.stringify(ops) };
    return memory.execute("apply", input, { onChange, ...(caller !== undefined && { caller }) });
  };
}

function createdItems(results: ApplyResult["results"]): Map<string, MadeItem> {
  const created = new Map<string, MadeItem>();
  for (const { ref, id, fact_id: factId } of results) {
    if (ref === undefined || id === undefined) continue;
    created.set(`$${ref}`, { id, factId: typeof factId === "string" ? factId : undefined });
  }
  return created;
}

/** Returns the rejection reasons by op index; empty if the error does not concern ops. */
function rejectionReasons(error: unknown): Map<number, string> {
  const reasons = new Map<number, string>();
  if (!(error instanceof CairnError) || error.code !== "changeset_failed") return reasons;
  const errors = isPlainObject(error.details) ? error.details.errors : undefined;
  if (!Array.isArray(errors)) return reasons;
  for (const item of errors as readonly unknown[]) {
    if (!isPlainObject(item) || typeof item.op_index !== "number") continue;
    if (!reasons.has(item.op_index)) reasons.set(item.op_index, String(item.message));
  }
  return reasons;
}

function describeRecord(record: Writable): string {
  return "id" in record ? record.id : `a ${record.kind.replace("_", " ")}`;
}

export interface ImportPlan {
  readonly ops: readonly Op[];
  /** Ops beyond `maxOps`. */
  readonly leftOut: number;
  readonly report: ImportReport;
}

export async function planImport(
  work: Omit<ImportWork, "apply">,
  maxOps = Number.POSITIVE_INFINITY,
): Promise<ImportPlan> {
  const ops: Op[] = [];
  let leftOut = 0;
  const collect = (batch: readonly Op[]): Promise<ApplyResult> => {
    const planned = batch.slice(0, maxOps - ops.length);
    ops.push(...planned);
    leftOut += batch.length - planned.length;
    return Promise.resolve({ success: true, dry_run: true, results: [], errors: [] });
  };
  const report = await runImport({ ...work, apply: collect });
  return { ops, leftOut, report };
}
