import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListedScript } from "../src/database/postgres/migrations.ts";
import { packageRoot } from "../src/shared/package.ts";
import { HAND_WRITTEN } from "./hand-written-migrations.ts";
import { toPostgres } from "./to-postgres.ts";

/**
 * Writes SQLite's migrations in the words of PostgreSQL, beside those that are written by hand.
 * `scripts.json` has the order in which all of them run; what is new comes last.
 */
const sqlite = join(packageRoot(), "drizzle");
const postgres = join(sqlite, "postgres");

const journal = JSON.parse(readFileSync(join(sqlite, "meta", "_journal.json"), "utf8")) as {
  readonly entries: readonly { readonly tag: string }[];
};
const order = join(postgres, "scripts.json");
const scripts = JSON.parse(readFileSync(order, "utf8")) as ListedScript[];
for (const { tag } of journal.entries) {
  if (HAND_WRITTEN.includes(tag)) continue;
  const script = readFileSync(join(sqlite, `${tag}.sql`), "utf8");
  writeFileSync(join(postgres, `${tag}.sql`), toPostgres(script));
  const isListed = scripts.some((one) => (typeof one === "string" ? one : one.name) === tag);
  // Whoever writes it says what servers of the version before make of it.
  if (!isListed) scripts.push({ name: tag, kind: "expand" });
}
writeFileSync(order, `${JSON.stringify(scripts, null, 2)}\n`);
