import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListedScript } from "../src/database/postgres/migrations.ts";
import { packageRoot } from "../src/shared/package.ts";
import { HAND_WRITTEN } from "./hand-written-migrations.ts";
import { toPostgres } from "./to-postgres.ts";

/**
 * Translates SQLite's migrations to PostgreSQL, except those written by hand. `scripts.json` lists
 * the order of all; new ones are appended.
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
  // The author of the migration changes the kind if servers of the previous version do not work
  // with it.
  if (!isListed) scripts.push({ name: tag, kind: "expand" });
}
writeFileSync(order, `${JSON.stringify(scripts, null, 2)}\n`);
