import { gt, max, sql } from "drizzle-orm";
import {
  type BrokenReference,
  deferReferences,
  findBrokenReferences,
  inSavepointIfPostgres,
  isConstraintError,
  isNumbered,
  logAllRows,
  ROW_LOCATION,
  recordUsedNumbers,
  type Tx,
} from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { invalidInput, messageOf, stateConflict } from "../../shared/errors.ts";
import { INDEXED_KINDS } from "../context/indexed-kind.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import { ChangeRecorder } from "../history/change-recorder.ts";
import { LOGGED_TABLES } from "../history/logged-tables.ts";
import type { MemoryEngine } from "../open-memory.ts";
import { rebuildTextIndex } from "../search/match-texts.ts";
import type { DoctorWork } from "./check.ts";
import { conflicts } from "./checks/conflicts.ts";
import { counts } from "./checks/counts.ts";
import { facts } from "./checks/facts.ts";
import { feed } from "./checks/feed.ts";
import { forgetAllVectors } from "./checks/vectors.ts";
import { createPlaceholders, EXPORTED_TABLES, type ExportedTable } from "./exported-tables.ts";
import type { ImportedRow } from "./read-row.ts";
import { readExport } from "./read-row.ts";

const ROWS_PER_BATCH = 200;

/**
 * Fills a missing or empty database from export lines in one transaction. Vectors are queued, not
 * computed. Returns the number of rows. Throws invalid_input that names the invalid line, or
 * conflict if the database is not empty; then nothing is stored.
 */
export function importDatabase(
  memory: MemoryEngine,
  lines: AsyncIterable<string>,
  work: ImportWork = {},
): Promise<number> {
  return memory.databaseToFill.fill(async (tx) => {
    await requireEmpty(tx, memory.name);
    await deferReferences(tx);
    const store = new RowStore(tx);
    const complete = await storeRows(store, readExport(lines, memory.limits), work);
    await store.flush();
    if (complete) await store.checkReferences();
    const dropped = complete ? 0 : await dropDangling(tx, work);
    const last = await loadLastNote(tx);
    await rebuildDerived(tx, work);
    await tx.delete(rowChanges).where(gt(rowChanges.seq, last));
    await completeChanges(tx, memory.timestamp());
    if (complete) await requireSound(tx);
    return store.count - dropped;
  });
}

export interface ImportWork extends DoctorWork {
  readonly onIncomplete?: ((sentence: string) => void) | undefined;
}

async function storeRows(
  store: RowStore,
  rows: ReturnType<typeof readExport>,
  work: DoctorWork,
): Promise<boolean> {
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value.complete;
    const { number, row } = next.value;
    await store.add(number, row);
    if (number % 1000 === 0) {
      work.signal?.throwIfAborted();
      work.onProgress?.({ stage: "Importing", done: number, total: 0 });
    }
  }
}

async function dropDangling(tx: Tx, work: ImportWork): Promise<number> {
  let dropped = 0;
  for (;;) {
    const broken = await findBrokenReferences(tx);
    if (broken.length === 0) break;
    for (const { table, row } of broken) {
      await tx.run(sql`delete from ${sql.identifier(table)} where ${ROW_LOCATION} = ${row}`);
    }
    dropped += broken.length;
  }
  work.onIncomplete?.(
    `The export of a damaged database is incomplete.${dropped === 0 ? "" : ` ${dropped} references to missing rows were skipped.`} \`cairn doctor\` shows what is missing.`,
  );
  return dropped;
}

async function requireEmpty(tx: Tx, name: string): Promise<void> {
  for (const { table } of EXPORTED_TABLES) {
    const rows = await tx.select({ one: sql`1` }).from(table).limit(1);
    if (rows.length > 0) {
      throw stateConflict(
        `The database "${name}" is not empty. Import into a new one: cairn import FILE --db NAME`,
      );
    }
  }
}

async function rebuildDerived(tx: Tx, work: DoctorWork): Promise<void> {
  work.onProgress?.({ stage: "Indexing", done: 0, total: 0 });
  await facts.fix?.(tx);
  for (const kind of INDEXED_KINDS) await rebuildTextIndex(tx, kind);
  await forgetAllVectors(tx);
}

async function completeChanges(tx: Tx, now: string): Promise<void> {
  const [known] = await tx.select({ id: changes.id }).from(changes).limit(1);
  const [reported] = await tx.select({ seq: events.seq }).from(events).limit(1);
  if (known === undefined && reported !== undefined) {
    const change = { operation: "import", surface: "import" };
    const recorder = await ChangeRecorder.begin(tx, change, now);
    for (const { name, key } of LOGGED_TABLES) {
      await logAllRows(tx, { table: name, key: key.map((column) => column.name) });
    }
    await tx.update(events).set({ changeId: await recorder.number });
    await tx.run(
      sql`insert into ${eventItems} (item, seq) select ${events.subjectId}, ${events.seq} from ${events} where true on conflict do nothing`,
    );
  }
  for (const name of NUMBERED_TABLES) await recordUsedNumbers(tx, name);
}

async function loadLastNote(tx: Tx): Promise<number> {
  const [row] = await tx.select({ seq: max(rowChanges.seq) }).from(rowChanges);
  return row?.seq ?? 0;
}

/** Tables whose undone numbers must not be reused. */
const NUMBERED_TABLES = LOGGED_TABLES.filter(({ key: [first, ...others] }) => {
  return first !== undefined && others.length === 0 && isNumbered(first.column);
}).map(({ name }) => name);

async function requireSound(tx: Tx): Promise<void> {
  for (const check of [facts, conflicts, counts, feed]) {
    const [problem] = await check.find(tx);
    if (problem === undefined) continue;
    throw invalidInput(
      `The file is inconsistent: ${problem.problem} (${problem.examples.join(", ")})`,
    );
  }
}

interface NumberedRow {
  readonly line: number;
  readonly values: Record<string, unknown>;
}

class RowStore {
  count = 0;
  readonly #tx: Tx;
  #exported: ExportedTable | undefined;
  #batch: NumberedRow[] = [];
  readonly #lines = new Map<string, number[]>();
  readonly #last = new Map<string, number>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async add(line: number, { exported, values }: ImportedRow): Promise<void> {
    if (exported !== this.#exported || this.#batch.length >= ROWS_PER_BATCH) await this.flush();
    this.#exported = exported;
    this.#checkOrder(line, exported, values);
    this.#batch.push({ line, values: { ...values, ...createPlaceholders(exported.table) } });
  }

  async flush(): Promise<void> {
    const exported = this.#exported;
    const batch = this.#batch;
    if (exported === undefined || batch.length === 0) return;
    this.#batch = [];
    await yieldToEventLoop();
    await this.#tx.run(sql`savepoint import_batch`);
    try {
      await this.#tx.insert(exported.table).values(batch.map(({ values }) => values));
      await this.#tx.run(sql`release import_batch`);
    } catch {
      await this.#tx.run(sql`rollback to import_batch`);
      await this.#storeOneByOne(exported, batch);
      await this.#tx.run(sql`release import_batch`);
    }
    const lines = this.#lines.get(exported.name) ?? [];
    for (const { line } of batch) lines.push(line);
    this.#lines.set(exported.name, lines);
    this.count += batch.length;
  }

  async checkReferences(): Promise<void> {
    const [broken] = await findBrokenReferences(this.#tx);
    if (broken === undefined) return;
    const line = await this.#getLine(broken);
    throw invalidInput(
      `line ${line}: row: refers to a row of ${broken.parent} that is not in the file`,
    );
  }

  async #storeOneByOne(exported: ExportedTable, batch: readonly NumberedRow[]): Promise<void> {
    for (const { line, values } of batch) {
      try {
        await inSavepointIfPostgres(this.#tx, () => this.#tx.insert(exported.table).values(values));
      } catch (error) {
        const reason = findConstraint(error);
        if (reason === undefined) throw error;
        throw invalidInput(`line ${line}: row: ${reason}`);
      }
    }
  }

  /** Requires ascending numbers, which makes lines easy to find. */
  #checkOrder(line: number, exported: ExportedTable, values: Record<string, unknown>): void {
    const number = readNumber(exported, values);
    if (number === undefined) return;
    if (number <= (this.#last.get(exported.name) ?? 0)) {
      throw invalidInput(
        `line ${line}: row: ${exported.name} must be numbered from 1 in ascending order`,
      );
    }
    this.#last.set(exported.name, number);
  }

  async #getLine({ table: name, row: broken }: BrokenReference): Promise<number | string> {
    const exported = EXPORTED_TABLES.find((table) => table.name === name);
    if (exported === undefined) return "?";
    const [row] = await this.#tx.all<{ place: number }>(
      sql`select count(*) as place from ${exported.table} where ${ROW_LOCATION} <= ${broken}`,
    );
    return this.#lines.get(name)?.[(row?.place ?? 0) - 1] ?? "?";
  }
}

function readNumber({ key }: ExportedTable, values: Record<string, unknown>): number | undefined {
  const [only, second] = key;
  const value = only === undefined || second !== undefined ? undefined : values[only.property];
  return typeof value === "number" ? value : undefined;
}

function findConstraint(error: unknown): string | undefined {
  if (!isConstraintError(error)) return undefined;
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return messageOf(inner);
}
