import { asc, eq } from "drizzle-orm";
import { inSavepoint, isConstraintError, recoverably, type Tx } from "../../../database/index.ts";
import { invalidInput, isCairnError } from "../../../shared/errors.ts";
import { createProblem } from "../../context/problem.ts";
import { entities as entityTable } from "../../entities/entity.table.ts";
import { parseEntity } from "../../input/parse-entity.ts";
import type { Check } from "../check.ts";

export const entities: Check = {
  name: "entities",
  about: "every entity has a known type and is found by its name",
  async find(tx) {
    const { strange, misplaced } = await inspect(tx);
    return [
      ...createProblem("Entities have unknown types.", strange, false),
      ...createProblem(
        "Entities are not found by their names.",
        misplaced.map(({ name }) => name),
      ),
    ];
  },
  async fix(tx) {
    for (const { id, key } of (await inspect(tx)).misplaced) {
      await inSavepoint(tx, () => setKey(tx, id, key)).catch((error: unknown) => {
        if (!isCairnError(error)) throw error;
      });
    }
  },
};

async function inspect(tx: Tx) {
  const rows = await tx
    .select({
      id: entityTable.id,
      type: entityTable.type,
      name: entityTable.name,
      key: entityTable.key,
    })
    .from(entityTable)
    .orderBy(asc(entityTable.id));
  const strange: string[] = [];
  const misplaced: { id: number; name: string; key: string }[] = [];
  for (const { id, type, name, key } of rows) {
    const expected = parseKey(`${type}:${name}`);
    if (expected === undefined) strange.push(`${type}:${name}`);
    else if (expected !== key) misplaced.push({ id, name: `${type}:${name}`, key: expected });
  }
  return { strange, misplaced };
}

function parseKey(entity: string): string | undefined {
  try {
    return parseEntity(entity).key;
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return undefined;
  }
}

async function setKey(tx: Tx, id: number, key: string): Promise<void> {
  try {
    await recoverably(tx, () => tx.update(entityTable).set({ key }).where(eq(entityTable.id, id)));
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    throw invalidInput("Another entity has this name.");
  }
}
