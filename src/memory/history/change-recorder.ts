import { and, eq, isNull, max, sql } from "drizzle-orm";
import { hasRoundTrips, preparedQuery, type Tx } from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import { ERASING_MARK } from "../context/erasure-marker.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { appendEvents } from "../events/event.queries.ts";
import { eventItems } from "../events/event.table.ts";
import type { NewEvent } from "../events/event-items.ts";

export interface NewChange {
  readonly operation: string;
  readonly surface: string;
  readonly author?: string | undefined;
  readonly session?: string | undefined;
  readonly undoOf?: readonly number[] | undefined;
}

/** Records a change in progress. Its row exists before the first write. */
export class ChangeRecorder {
  readonly number: Promise<number>;
  /** True if an earlier purge was interrupted. */
  readonly findsUnfinishedPurge: Promise<boolean>;
  readonly #tx: Tx;
  readonly #now: string;
  readonly #author: string;
  readonly #authorIsKnown: boolean;
  readonly #authors = new Set<string>();
  readonly #events: NewEvent[] = [];

  private constructor(
    tx: Tx,
    started: { row: Promise<StartedChange>; now: string; change: NewChange },
  ) {
    this.#tx = tx;
    this.number = started.row.then(({ id }) => id);
    this.findsUnfinishedPurge = started.row.then(({ erasingMark }) => erasingMark !== null);
    for (const later of [this.number, this.findsUnfinishedPurge]) later.catch(() => undefined);
    this.#now = started.now;
    this.#author = started.change.author ?? started.change.surface;
    this.#authorIsKnown = started.change.author !== undefined;
  }

  static async begin(tx: Tx, change: NewChange, now: string): Promise<ChangeRecorder> {
    const row = storeChange(tx, change, now);
    if (!hasRoundTrips(tx)) await row;
    return new ChangeRecorder(tx, { row, now, change });
  }

  emit(event: NewEvent): void {
    this.#events.push(event);
    if (event.author !== undefined) this.#authors.add(event.author);
  }

  /** Stores the summary of the change. Returns false and deletes the row if nothing changed. */
  async finish(): Promise<boolean> {
    await this.#writeEvents();
    if (this.#events.length === 0 && !(await this.#hasRows())) {
      const isEmpty = and(eq(changes.id, await this.number), isNull(changes.undoOf));
      await this.#tx.delete(changes).where(isEmpty);
      return false;
    }
    const [only, second] = this.#authors;
    const isNews = !this.#authorIsKnown && only !== undefined && only !== this.#author;
    if (isNews && second === undefined) {
      await this.#tx
        .update(changes)
        .set({ author: only })
        .where(eq(changes.id, await this.number));
    }
    return true;
  }

  async #writeEvents(): Promise<void> {
    const moment = { now: this.#now, changeId: await this.number };
    await forEachBatch(this.#events, (events) => appendEvents(this.#tx, events, moment));
  }

  async #hasRows(): Promise<boolean> {
    const [row] = await this.#tx
      .select({ seq: rowChanges.seq })
      .from(rowChanges)
      .where(eq(rowChanges.changeId, await this.number))
      .limit(1);
    return row !== undefined;
  }
}

interface StartedChange {
  readonly id: number;
  readonly erasingMark: string | null;
}

async function storeChange(tx: Tx, change: NewChange, now: string): Promise<StartedChange> {
  const [row] = await insertChange(tx).execute({
    now,
    author: change.author ?? change.surface,
    surface: change.surface,
    session: change.session ?? null,
    operation: change.operation,
    undoOf: change.undoOf === undefined ? null : JSON.stringify(change.undoOf),
  });
  if (row === undefined) throw new Error("The change was not stored.");
  return row;
}

const insertChange = preparedQuery((tx) =>
  tx
    .insert(changes)
    .values({
      ts: sql.placeholder("now"),
      author: sql.placeholder("author"),
      surface: sql.placeholder("surface"),
      session: sql.placeholder("session"),
      operation: sql.placeholder("operation"),
      // Passed as text: the column would store null as the JSON value null.
      undoOf: sql`${sql.placeholder("undoOf")}`,
    })
    .returning({ id: changes.id, erasingMark: ERASING_MARK })
    .prepare(),
);

/** Returns the number of the item's newest event; 0 if there is none. */
export async function loadVersion(tx: Tx, item: string): Promise<number> {
  const [row] = await tx
    .select({ seq: max(eventItems.seq) })
    .from(eventItems)
    .where(eq(eventItems.item, item));
  return row?.seq ?? 0;
}
