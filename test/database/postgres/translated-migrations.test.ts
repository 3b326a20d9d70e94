import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HAND_WRITTEN } from "../../../scripts/hand-written-migrations.ts";
import { toPostgres } from "../../../scripts/to-postgres.ts";
import { Migrations } from "../../../src/database/postgres/migrations.ts";
import { packageRoot } from "../../../src/shared/package.ts";

const folder = join(packageRoot(), "drizzle");
const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");
const { entries } = JSON.parse(read("meta", "_journal.json")) as { entries: { tag: string }[] };
const translated = entries.map(({ tag }) => tag).filter((tag) => !HAND_WRITTEN.includes(tag));

describe("PostgreSQL's migrations", () => {
  it("are generated from SQLite's by `npm run migrations:postgres`", () => {
    for (const tag of translated) {
      expect(read("postgres", `${tag}.sql`), tag).toBe(toPostgres(read(`${tag}.sql`)));
    }
  });

  it("run once each in order", () => {
    const scripts = Migrations.released().all.map(({ name }) => name);
    expect(new Set(scripts).size).toBe(scripts.length);
    expect(scripts.filter((name) => translated.includes(name))).toEqual(translated);
  });

  it("fail for an unknown statement", () => {
    expect(() => toPostgres("CREATE VIRTUAL TABLE `a` USING fts5(b);")).toThrow("by hand");
    expect(() => toPostgres("CREATE TABLE `a` (\n\t`b` numeric\n);")).toThrow(
      "No PostgreSQL type for numeric",
    );
  });
});
