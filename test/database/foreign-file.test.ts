import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { getSqliteDatabase } from "../support/get-sqlite-database.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";
import { createTestMemory } from "../support/test-memory.ts";

const COMMANDS = [
  ["stats"],
  ["recall", "x"],
  ["remember", "x"],
  ["doctor"],
  ["doctor", "--fix"],
  ["export"],
];

/** The driver configures file URLs on the first connection of a process. */
beforeAll(async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "first" });
});

describe("another program's SQLite file", () => {
  it.each([
    ["without a schema number", 0, "delete"],
    ["with a schema number", 2, "delete"],
    ["with a high schema number", 9, "delete"],
    ["with a log of its own", 2, "wal"],
  ])("%s is rejected and unchanged", async (_name, version, journal) => {
    const folders = createCliFolders();
    mkdirSync(folders.dataDir);
    const path = join(folders.dataDir, "default.db");
    const other = new BetterSqlite(path);
    other.pragma(`journal_mode = ${journal}`);
    other.exec("create table notes (text); insert into notes values ('theirs')");
    other.pragma(`user_version = ${version}`);
    other.close();
    const before = readFileSync(path);
    for (const args of COMMANDS) {
      const { code, stderr } = await runInProcess(folders, args);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("another program"),
      });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folders.dataDir)).toEqual(["default.db"]);
    const { stdout } = await runInProcess(folders, ["list", "databases", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ databases: [] });
  });
});

describe("a database older than the file header id", () => {
  it("is recognized by its tables and marked by the next write", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "old" });
    await test.memory.close();
    const path = join(test.folder, "default.db");
    const mark = (value?: number) => {
      const connection = new BetterSqlite(path);
      if (value !== undefined) connection.pragma(`application_id = ${value}`);
      const read = connection.pragma("application_id", { simple: true });
      connection.close();
      return read;
    };
    expect(mark()).toBe(0x6361_6972);
    mark(0);
    const again = createTestMemory({ folder: test.folder });
    expect((await again.call("stats")).episodes.total).toBe(1);
    expect(mark()).toBe(0);
    await again.call("remember", { content: "new" });
    await again.memory.close();
    expect(mark()).toBe(0x6361_6972);
  });

  it("reports a lowered schema number", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "old" });
    await (await getSqliteDatabase(test.memory)).maintain((connection) =>
      connection.pragma("user_version = 0"),
    );
    await test.memory.close();
    await using again = createTestMemory({ folder: test.folder });
    expect(await again.failure("stats")).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("user_version"),
    });
  });
});
