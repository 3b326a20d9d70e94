import { desc, inArray, notInArray } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";

/** Names in code mean what they are to the letter. */
const TO_THE_LETTER = ["file", "function", "class", "module"];
const MOST = 20_000;

export interface NamedEntity {
  readonly type: string;
  readonly name: string;
}

/** Entities whose names differ in blanks, hyphens and the like, and of which nobody said that they are one. */
export async function nearEntities(tx: Tx): Promise<(readonly NamedEntity[])[]> {
  const rows = await tx
    .select()
    .from(entities)
    .where(notInArray(entities.type, TO_THE_LETTER))
    .orderBy(desc(entities.id))
    .limit(MOST);
  const alike = [...groupBy(rows, ({ type, name }) => `${type} ${squashed(name)}`).values()]
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted((a, b) => a.id - b.id));
  if (alike.length === 0) return [];
  const numbers = alike.flat().map(({ id }) => id);
  const related = await tx
    .select()
    .from(entityRelations)
    .where(inArray(entityRelations.sourceId, numbers));
  const known = new Set(related.map((one) => pair(one.sourceId, one.targetId)));
  return alike
    .map(([first, ...others]) => {
      if (first === undefined) return [];
      return [first, ...others.filter(({ id }) => !known.has(pair(first.id, id)))];
    })
    .filter((group) => group.length > 1);
}

const pair = (one: number, other: number) => (one < other ? `${one} ${other}` : `${other} ${one}`);

function squashed(name: string): string {
  const letters = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_\-.·]+/gu, "");
  return letters === "" ? name : letters;
}
