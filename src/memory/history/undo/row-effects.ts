import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { EventLoopYielder, loadInBatches } from "../../../shared/async.ts";
import { entities } from "../../entities/entity.table.ts";
import { rowChanges } from "../../events/change.table.ts";
import { entityKey } from "../../facts/cluster-entities.ts";
import type { RowChange, RowImage, RowKey } from "../describe-rows.ts";
import { parseImage } from "../describe-rows.ts";
import { LOGGED_BY_NAME, LOGGED_TABLES, type LoggedTable } from "../logged-tables.ts";

export interface RowEffect {
  readonly table: LoggedTable;
  readonly key: RowKey;
  readonly rowKey: string;
  readonly action: "insert" | "update" | "delete";
  readonly values: RowImage;
  readonly now: RowImage;
  readonly changes: ReadonlySet<number>;
  /** Number of the oldest logged row among them. */
  readonly first: number;
}

/** Computes the net effect of undoing these logged rows, in reference order of tables. */
export async function computeRowEffects(rows: readonly RowChange[]): Promise<RowEffect[]> {
  const byRow = new Map<string, RowChange[]>();
  for (const row of rows) {
    const key = `${row.tableName} ${row.rowKey}`;
    const known = byRow.get(key);
    if (known === undefined) byRow.set(key, [row]);
    else known.push(row);
  }
  const effects: RowEffect[] = [];
  const turn = new EventLoopYielder();
  for (const ofRow of byRow.values()) {
    effects.push(...combineEffects(ofRow));
    await turn.yieldIfDue();
  }
  const order = new Map(LOGGED_TABLES.map((table, index) => [table, index]));
  return effects.sort(
    (a, b) =>
      (order.get(a.table) ?? 0) - (order.get(b.table) ?? 0) ||
      firstChange(a) - firstChange(b) ||
      compareKeys(a.key, b.key),
  );
}

export function firstChange({ changes }: Pick<RowEffect, "changes">): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const change of changes) first = Math.min(first, change);
  return first;
}

/** Orders rows of one change by key: engines log the rows of a statement in different orders. */
function compareKeys(a: RowKey, b: RowKey): number {
  for (const [index, value] of a.entries()) {
    const other = b[index];
    if (value === other || other === undefined) continue;
    if (typeof value === "number" && typeof other === "number") return value - other;
    return String(value) < String(other) ? -1 : 1;
  }
  return 0;
}

function combineEffects(entries: readonly RowChange[]): RowEffect[] {
  const [oldest] = entries;
  const newest = entries.at(-1);
  const table = LOGGED_BY_NAME.get(oldest?.tableName ?? "");
  if (oldest === undefined || newest === undefined || table === undefined) return [];
  let full: RowImage | undefined;
  let patch: RowImage = {};
  let now: RowImage = {};
  let exists = true;
  for (const entry of [...entries].reverse()) {
    const before = parseImage(entry.before);
    now = { ...parseImage(entry.after), ...now };
    if (entry.action === "insert") {
      exists = false;
    } else if (entry.action === "delete") {
      exists = true;
      full = before;
    } else if (full === undefined) {
      patch = { ...patch, ...before };
    } else {
      full = { ...full, ...before };
    }
  }
  const existsNow = newest.action !== "delete";
  const shared = {
    table,
    key: JSON.parse(oldest.rowKey) as RowKey,
    rowKey: oldest.rowKey,
    now,
    changes: new Set(entries.map(({ changeId }) => changeId)),
    first: oldest.seq,
  };
  if (!exists) return existsNow ? [{ ...shared, action: "delete", values: {} }] : [];
  if (existsNow) return [{ ...shared, action: "update", values: full ?? patch }];
  return [{ ...shared, action: "insert", values: full ?? {} }];
}

/**
 * Entities are shared. If one to be restored was created again since, the restored rows refer to
 * its new number.
 */
export async function reuseExistingEntities(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<readonly RowEffect[]> {
  const numbers = await findRenamed(tx, effects);
  if (numbers.size === 0) return effects;
  return effects.flatMap((effect) => {
    if (effect.action === "delete") return [effect];
    if (effect.table.name === "entities") return numbers.has(Number(effect.key[0])) ? [] : [effect];
    return [renumberReferences(effect, numbers)];
  });
}

type Renumbering = ReadonlyMap<number, number>;

async function findRenamed(tx: Tx, effects: readonly RowEffect[]): Promise<Renumbering> {
  const coming = effects.filter(({ action }) => action !== "delete");
  const requested = new Set(coming.flatMap(collectEntities));
  const there = await loadInBatches([...requested], (slice) =>
    tx.select({ id: entities.id }).from(entities).where(inArray(entities.id, slice)),
  );
  for (const { id } of there) requested.delete(id);
  const removals = new Set(
    effects
      .filter(({ table, action }) => table.name === "entities" && action === "delete")
      .map(({ key }) => Number(key[0])),
  );
  const numbers = new Map<number, number>();
  for (const number of requested) {
    const image = await createEntityImage(tx, number);
    if (image === undefined) continue;
    const [again] = await tx
      .select({ id: entities.id })
      .from(entities)
      .where(and(eq(entities.type, String(image.type)), eq(entities.key, String(image.key))));
    if (again !== undefined && !removals.has(again.id)) numbers.set(number, again.id);
  }
  return numbers;
}

function collectEntities({ table, key, values }: RowEffect): number[] {
  if (table.name === "entities") return [Number(key[0])];
  return table.columns.flatMap(({ name, target }) =>
    target === "entities" && typeof values[name] === "number" ? [Number(values[name])] : [],
  );
}

async function createEntityImage(tx: Tx, number: number): Promise<RowImage | undefined> {
  const [row] = await tx
    .select({ before: rowChanges.before })
    .from(rowChanges)
    .where(
      and(
        eq(rowChanges.tableName, "entities"),
        eq(rowChanges.rowKey, JSON.stringify([number])),
        eq(rowChanges.action, "delete"),
        eq(rowChanges.purged, false),
      ),
    )
    .limit(1);
  return row === undefined ? undefined : parseImage(row.before);
}

function renumberReferences(effect: RowEffect, numbers: Renumbering): RowEffect {
  const { table, values } = effect;
  const now = (value: unknown) => numbers.get(Number(value)) ?? value;
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const column = table.columns.find((one) => one.name === name);
      if (column?.target === "entities") return [name, now(value)];
      return [name, name === "entity_key" ? renumberKey(String(value), numbers) : value];
    }),
  ) as RowImage;
  const key = effect.key.map((value, index) =>
    table.key[index]?.target === "entities" ? now(value) : value,
  ) as RowKey;
  return { ...effect, key, rowKey: JSON.stringify(key), values: written };
}

function renumberKey(text: string, numbers: Renumbering): string {
  const named = text.split(",").filter((part) => part !== "");
  return entityKey(named.map((part) => numbers.get(Number(part)) ?? Number(part)));
}
