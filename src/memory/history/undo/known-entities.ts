import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { entities } from "../../entities/entity.table.ts";
import { rowChanges } from "../../events/change.table.ts";
import { entityKey } from "../../facts/cluster-entities.ts";
import { imageOf, type RowImage, type RowKey } from "../describe-rows.ts";
import type { RowEffect } from "./row-effects.ts";

/**
 * Entities are shared by all who name them. If one would come back but was named again since, it exists under
 * another number; everything restored with it then refers to that number.
 */
export async function meetKnownEntities(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<readonly RowEffect[]> {
  const numbers = await namedAgain(tx, effects);
  if (numbers.size === 0) return effects;
  return effects.flatMap((effect) => {
    if (effect.action === "delete") return [effect];
    if (effect.table.name === "entities") return numbers.has(Number(effect.key[0])) ? [] : [effect];
    return [renumbered(effect, numbers)];
  });
}

type Renumbering = ReadonlyMap<number, number>;

/** Maps missing entities to the numbers under which they exist now. */
async function namedAgain(tx: Tx, effects: readonly RowEffect[]): Promise<Renumbering> {
  const coming = effects.filter(({ action }) => action !== "delete");
  const wanted = new Set(coming.flatMap(entitiesIn));
  const there = await loadInBatches([...wanted], (slice) =>
    tx.select({ id: entities.id }).from(entities).where(inArray(entities.id, slice)),
  );
  for (const { id } of there) wanted.delete(id);
  const going = new Set(
    effects
      .filter(({ table, action }) => table.name === "entities" && action === "delete")
      .map(({ key }) => Number(key[0])),
  );
  const numbers = new Map<number, number>();
  for (const number of wanted) {
    const image = await imageOfEntity(tx, number);
    if (image === undefined) continue;
    const [again] = await tx
      .select({ id: entities.id })
      .from(entities)
      .where(and(eq(entities.type, String(image.type)), eq(entities.key, String(image.key))));
    if (again !== undefined && !going.has(again.id)) numbers.set(number, again.id);
  }
  return numbers;
}

function entitiesIn({ table, key, values }: RowEffect): number[] {
  if (table.name === "entities") return [Number(key[0])];
  return table.columns.flatMap(({ name, target }) =>
    target === "entities" && typeof values[name] === "number" ? [Number(values[name])] : [],
  );
}

async function imageOfEntity(tx: Tx, number: number): Promise<RowImage | undefined> {
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
  return row === undefined ? undefined : imageOf(row.before);
}

function renumbered(effect: RowEffect, numbers: Renumbering): RowEffect {
  const { table, values } = effect;
  const now = (value: unknown) => numbers.get(Number(value)) ?? value;
  const written = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const column = table.columns.find((one) => one.name === name);
      if (column?.target === "entities") return [name, now(value)];
      return [name, name === "entity_key" ? keyOf(String(value), numbers) : value];
    }),
  ) as RowImage;
  const key = effect.key.map((value, place) =>
    table.key[place]?.target === "entities" ? now(value) : value,
  ) as RowKey;
  return { ...effect, key, rowKey: JSON.stringify(key), values: written };
}

function keyOf(text: string, numbers: Renumbering): string {
  const named = text.split(",").filter((part) => part !== "");
  return entityKey(named.map((part) => numbers.get(Number(part)) ?? Number(part)));
}
