import { closeSync, copyFileSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diagnose, repair } from "../../../src/memory/index.ts";
import type { Logger } from "../../../src/shared/logger.ts";
import { fillTemplate, openCopy } from "./filled-memory.ts";

let template: Awaited<ReturnType<typeof fillTemplate>>;
beforeAll(async () => {
  template = await fillTemplate();
});
afterAll(() => template.remove());

function damaged(name: string, change: (page: Buffer) => void): string {
  const path = join(template.path, "..", `${name}.db`);
  copyFileSync(template.path, path);
  const database = new BetterSqlite(path, { readonly: true });
  const root = database
    .prepare("select rootpage from sqlite_schema where name = ?")
    .pluck()
    .get(name) as number;
  const size = database.pragma("page_size", { simple: true }) as number;
  database.close();
  const file = openSync(path, "r+");
  const page = Buffer.alloc(size);
  readSync(file, page, 0, size, (root - 1) * size);
  change(page);
  writeSync(file, page, 0, size, (root - 1) * size);
  closeSync(file);
  return path;
}

it("doctor --fix rebuilds an index that does not match its table", async () => {
  const index = "concepts_public_id";
  // Cells are stored from the end of a page, so this changes the key of the first row.
  const path = damaged(index, (page) =>
    page.writeUInt8(page.readUInt8(page.length - 3) ^ 1, page.length - 3),
  );
  await using copy = openCopy(path);
  const { findings } = await diagnose(copy.memory);
  expect(findings).toMatchObject([{ check: "file", fixable: true }]);
  expect((await repair(copy.memory)).findings).toEqual([]);
});

it("reports a destroyed page of a table as a damaged file, not as a damaged index", async () => {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const logger: Logger = { info: () => {}, warn, error: warn };
  await using copy = openCopy(
    damaged("episodes", (page) => page.fill(0)),
    { logger },
  );
  await expect(copy.memory.execute("recall", { query: "mails" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("The database file is damaged"),
  });
  expect(warnings).toEqual([]);
  const { findings } = await diagnose(copy.memory);
  expect(findings).toContainEqual(expect.objectContaining({ check: "file", fixable: false }));
});
