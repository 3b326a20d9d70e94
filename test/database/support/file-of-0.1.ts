import { readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect } from "vitest";
import { createDatabase } from "../../../src/database/sqlite/migrate.ts";
import { packageRoot } from "../../../src/shared/package.ts";
import { temporaryFolder } from "../../support/memory-server.ts";

/** Schema created by the 20 migrations of version 0.1. */
const SCHEMA = readFileSync(join(packageRoot(), "test/database/schema-0.1/sqlite.sql"), "utf8");
const APPLICATION_ID = "application_id";

export function createFileOf01(folder = temporaryFolder()): string {
  const path = join(folder, "default.db");
  const template = new BetterSqlite3(createDatabase());
  const mark = template.pragma(APPLICATION_ID, { simple: true });
  template.close();
  const old = new BetterSqlite3(path);
  old.pragma("journal_mode = WAL");
  for (const statement of SCHEMA.split("--> statement-breakpoint")) old.exec(statement);
  old.exec(
    "insert into episodes (content, episode_type, created_at, updated_at) values ('We deploy on Tuesdays', 'observation', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
  );
  expect(old.prepare("select total from totals").pluck().all()).toEqual([1]);
  old.pragma("user_version = 20");
  old.pragma(`${APPLICATION_ID} = ${mark}`);
  old.close();
  return path;
}
