import { sql } from "drizzle-orm";
import {
  inSavepoint,
  isConstraintError,
  type SchemaPart,
  schemaParts,
  type Tx,
} from "../../../database/index.ts";
import { createProblem } from "../../context/problem.ts";
import type { Check } from "../check.ts";

const DERIVED = ["cluster_entities", "pending_vectors", "vector_signs", "vectors"];

export const schema: Check = {
  name: "schema",
  about: "every table, index and trigger exists, and no foreign trigger does",
  async find(tx) {
    const { missing, further } = await compare(tx);
    const tables = missing.filter(({ type }) => type === "table");
    const lost = tables.filter(({ name }) => !DERIVED.includes(name));
    const others = missing.filter(
      ({ type, table: of }) => type !== "table" && !tables.some(({ name }) => name === of),
    );
    return [
      ...createProblem("Tables are missing, with all their rows.", lost.map(getName), false),
      ...createProblem(
        "Tables of derived data are missing.",
        tables.filter(({ name }) => DERIVED.includes(name)).map(getName),
      ),
      ...createProblem("Indexes and triggers are missing.", others.map(getName)),
      ...createProblem(
        "The database has triggers that are not part of cairn.",
        further.filter(({ type }) => type === "trigger").map(getName),
        false,
      ),
    ];
  },
  async fix(tx) {
    const { missing } = await compare(tx);
    const isLost = ({ name }: Pick<SchemaPart, "name">) =>
      missing.some((part) => part.type === "table" && part.name === name) &&
      !DERIVED.includes(name);
    for (const part of missing) {
      if (isLost(part) || isLost({ name: part.table })) continue;
      await rebuildTables(tx, part);
    }
  },
};

/** A unique index cannot be created over duplicate rows; the finding then remains. */
async function rebuildTables(tx: Tx, part: SchemaPart): Promise<void> {
  await inSavepoint(tx, async () => {
    await tx.run(sql.raw(part.sql));
  }).catch((error: unknown) => {
    if (!isConstraintError(error)) throw error;
  });
}

const getName = ({ type, name }: NamedPart): string => `${type} ${name}`;

async function compare(tx: Tx) {
  const { expected, actual } = await schemaParts(tx);
  return {
    missing: expected.filter((part) => !holds(actual, part)),
    further: actual.filter((part) => !holds(expected, part)),
  };
}

type NamedPart = Pick<SchemaPart, "type" | "name">;

function holds(parts: readonly NamedPart[], { type, name }: NamedPart): boolean {
  return parts.some((part) => type === part.type && name === part.name);
}
