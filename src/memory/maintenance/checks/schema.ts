import { sql } from "drizzle-orm";
import { SqliteDatabase, type Tx } from "../../../database/index.ts";
import { problemOf } from "../../context/problem.ts";
import type { Check } from "../check.ts";

/** Tables whose rows follow from others: made anew empty, they are filled by the other checks. */
const DERIVED = ["cluster_entities", "pending_vectors", "vectors"];
/** What is made beside the migrations: parts of search tables, and SQLite's own. */
const NOT_OURS = /^(sqlite_|(episode|concept)_(text|bits)(_|$))/;

interface Part {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

export const schema: Check = {
  name: "schema",
  about: "every table, index and trigger is there, and none that does not belong",
  async find(tx) {
    const { missing, further } = await compare(tx);
    const tables = missing.filter(({ type }) => type === "table");
    const lost = tables.filter(({ name }) => !DERIVED.includes(name));
    const others = missing.filter(
      ({ type, tbl_name: of }) => type !== "table" && !tables.some(({ name }) => name === of),
    );
    return [
      ...problemOf("Tables are gone, with everything in them.", lost.map(nameOf), false),
      ...problemOf(
        "Tables of derived data are missing.",
        tables.filter(({ name }) => DERIVED.includes(name)).map(nameOf),
      ),
      ...problemOf("Indexes and triggers are missing, and what they guard.", others.map(nameOf)),
      ...problemOf(
        "There are triggers that do not belong to cairn.",
        further.filter(({ type }) => type === "trigger").map(nameOf),
        false,
      ),
    ];
  },
  async fix(tx) {
    const { missing } = await compare(tx);
    const isLost = ({ name }: Part) =>
      missing.some((part) => part.type === "table" && part.name === name) &&
      !DERIVED.includes(name);
    for (const part of missing) {
      if (isLost(part) || isLost({ ...part, name: part.tbl_name })) continue;
      await makeAnew(tx, part);
    }
  },
};

/** A unique index cannot be made over rows that are twice there: it stays a finding then. */
async function makeAnew(tx: Tx, part: Part): Promise<void> {
  await tx.run(sql`savepoint part`);
  try {
    await tx.run(sql.raw(part.sql));
  } catch {
    await tx.run(sql`rollback to part`);
  }
  await tx.run(sql`release part`);
}

const nameOf = ({ type, name }: Part): string => `${type} ${name}`;

/** The schema of this file against that of a new one; tables come before their indexes. */
async function compare(tx: Tx): Promise<{ missing: Part[]; further: Part[] }> {
  const template = new SqliteDatabase({ path: ":memory:" });
  try {
    const expected = await template.read((fresh) => partsOf(fresh));
    const actual = await partsOf(tx);
    const lacks = (parts: readonly Part[]) => (part: Part) =>
      !parts.some(({ type, name }) => type === part.type && name === part.name);
    return {
      missing: expected.filter(lacks(actual)),
      further: actual.filter(lacks(expected)),
    };
  } finally {
    await template.close();
  }
}

async function partsOf(tx: Tx): Promise<Part[]> {
  const parts = await tx.all<Part>(
    sql`select type, name, tbl_name, sql from sqlite_schema where sql is not null order by type = 'table' desc, rowid`,
  );
  return parts.filter(({ name }) => !NOT_OURS.test(name));
}
