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
  it("are those of SQLite, written anew by `npm run migrations:postgres`", () => {
    for (const tag of translated) {
      expect(read("postgres", `${tag}.sql`), tag).toBe(toPostgres(read(`${tag}.sql`)));
    }
  });

  it("run in an order that names each of them once", () => {
    const scripts = Migrations.released().all.map(({ name }) => name);
    expect(new Set(scripts).size).toBe(scripts.length);
    expect(scripts.filter((name) => translated.includes(name))).toEqual(translated);
  });

  it("are not guessed at where a statement is not known", () => {
    expect(() => toPostgres("CREATE VIRTUAL TABLE `a` USING fts5(b);")).toThrow("by hand");
    expect(() => toPostgres("CREATE TABLE `a` (\n\t`b` numeric\n);")).toThrow("No type");
  });
});
