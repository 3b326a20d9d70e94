import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Connection from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { getSqliteDatabase } from "../support/get-sqlite-database.ts";
import { createTestMemory, type TestMemory } from "../support/test-memory.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";

const path = (test: TestMemory) => join(test.folder, "default.db");
const remember = (test: TestMemory, content: string) => test.call("remember", { content });
const contents = async (test: TestMemory): Promise<string[]> => {
  const { episodes } = await test.call("list_episodes");
  return episodes.map(({ content }: { content: string }) => content).sort();
};

async function withBackup(test: TestMemory): Promise<string> {
  await remember(test, "one");
  await (await getSqliteDatabase(test.memory)).maintain((connection) =>
    connection.pragma("wal_checkpoint(TRUNCATE)"),
  );
  copyFileSync(path(test), join(test.folder, "backup"));
  return join(test.folder, "backup");
}

describe("a database file removed while open", () => {
  it("is missed by the next write, which is not acknowledged", async () => {
    await using test = createTestMemory();
    await remember(test, "one");
    for (const file of readdirSync(test.folder)) rmSync(join(test.folder, file));
    expect(await test.failure("remember", { content: "two" })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("was removed"),
    });
    expect(existsSync(path(test))).toBe(false);
    await remember(test, "three");
    expect(await contents(test)).toEqual(["three"]);
  });

  it("uses the replacement file, without applying an older log", async () => {
    await using test = createTestMemory();
    const backup = await withBackup(test);
    await remember(test, "two");
    renameSync(backup, path(test));
    await remember(test, "three");
    expect(await contents(test)).toEqual(["one", "three"]);
    await test.memory.close();
    await using again = createTestMemory({ folder: test.folder });
    expect(await contents(again)).toEqual(["one", "three"]);
  });

  it("is not read through its old log either", async () => {
    await using test = createTestMemory();
    const backup = await withBackup(test);
    await remember(test, "two");
    expect(await contents(test)).toEqual(["one", "two"]);
    renameSync(backup, path(test));
    expect(await contents(test)).toEqual(["one"]);
  });

  it("keeps writes acknowledged at the time of the move", async () => {
    await using test = createTestMemory();
    await withBackup(test);
    await remember(test, "two");
    renameSync(path(test), join(test.folder, "moved.db"));
    renameSync(join(test.folder, "backup"), path(test));
    await remember(test, "three");
    const moved = createTestMemory({ folder: test.folder, name: "moved" });
    expect(await contents(moved)).toEqual(["one", "two"]);
    await moved.memory.close();
  });

  it("is an error, not the end of the process, when it was cut short", {
    tags: ["long"],
  }, async () => {
    await using test = createTestMemory();
    const texts = Array.from({ length: 400 }, (_, n) => `remember "${"words ".repeat(80)}${n}"`);
    await test.apply(...texts);
    await (await getSqliteDatabase(test.memory)).maintain((connection) =>
      connection.pragma("wal_checkpoint(TRUNCATE)"),
    );
    truncateSync(path(test), Math.floor(statSync(path(test)).size / 8192) * 4096);
    expect((await test.failure("list_episodes", { limit: 100 })).message).toMatch(/damaged|disk/);
  });
});

describe("a database file overwritten in place by a backup", () => {
  it("rejects writes until a read noticed, sets the log aside, and continues with the backup", async () => {
    await using test = createTestMemory();
    const backup = await withBackup(test);
    await remember(test, "two");
    copyFileSync(backup, path(test));
    // The backup equals the main file, so with the log it is the same memory.
    await remember(test, "three");
    expect(await contents(test)).toEqual(["one", "three", "two"]);
    await writeBack(test);
    await remember(test, "four");
    copyFileSync(backup, path(test));
    expect(await test.failure("remember", { content: "five" })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("replaced in place"),
    });
    expect(readdirSync(test.folder).some((file) => file.includes(".left-wal-"))).toBe(true);
    await remember(test, "six");
    expect(await contents(test)).toEqual(["one", "six"]);
    await test.memory.close();
    await using again = createTestMemory({ folder: test.folder });
    expect(await contents(again)).toEqual(["one", "six"]);
    const { stdout } = sound(path(test));
    expect(stdout).toBe("ok");
  });

  it("is read in its current state, without mixing it with earlier reads", {
    tags: ["long"],
  }, async () => {
    await using test = createTestMemory();
    const backup = await withBackup(test);
    for (let n = 0; n < 40; n += 1) await remember(test, `later ${n} ${"x".repeat(2_000)}`);
    await writeBack(test);
    expect(await contents(test)).toHaveLength(41);
    copyFileSync(backup, path(test));
    expect(await contents(test)).toEqual(["one"]);
    await remember(test, "two");
    expect(await contents(test)).toEqual(["one", "two"]);
  });

  it("is distinguished from one that a waiting process has half written", async () => {
    await using test = createTestMemory();
    const backup = await withBackup(test);
    await remember(test, "two");
    await writeBack(test);
    await remember(test, "three");
    const whole = join(test.folder, "whole");
    copyFileSync(path(test), whole);
    copyFileSync(backup, path(test));
    const written = remember(test, "four");
    await waitFixedTime(400, "no event may follow");
    copyFileSync(whole, path(test));
    await written;
    expect(await contents(test)).toEqual(["four", "one", "three", "two"]);
    expect(readdirSync(test.folder).filter((file) => file.includes(".left-wal-"))).toEqual([]);
  });

  it("is distinguished from one that another process checkpointed", async () => {
    await using test = createTestMemory();
    await remember(test, "one");
    await using other = createTestMemory({ folder: test.folder });
    for (let n = 0; n < 5; n += 1) {
      await remember(other, `other ${n}`);
      await writeBack(other);
      await remember(test, `own ${n}`);
    }
    expect(await contents(test)).toHaveLength(11);
  });

  it("is distinguished from a partial checkpoint past a reader", async () => {
    await using test = createTestMemory();
    await using other = createTestMemory({ folder: test.folder });
    let written = 0;
    // Creates a page that is new since the last checkpoint and modified after the reader started.
    for (let isPart = false; !isPart && written < 300; isPart = !standsAlone(path(test))) {
      for (let n = 0; n < 10; n += 1) await remember(test, `note ${written + n}`);
      const reader = new Connection(path(test), { readonly: true });
      reader.exec("begin");
      reader.prepare("select count(*) from changes").get();
      await remember(test, "past the reader");
      written += 11;
      await (await getSqliteDatabase(test.memory)).maintain((connection) =>
        connection.pragma("wal_checkpoint(PASSIVE)"),
      );
      reader.close();
    }
    expect(standsAlone(path(test))).toBe(false);
    await remember(other, "three");
    await remember(test, "four");
    expect(await contents(other)).toEqual(await contents(test));
    const { total } = await test.call("list_episodes");
    expect(total).toBe(written + 2);
    expect(readdirSync(test.folder).filter((file) => file.includes(".left-wal-"))).toEqual([]);
  });
});

async function writeBack(test: TestMemory): Promise<void> {
  await (await getSqliteDatabase(test.memory)).maintain((connection) =>
    connection.pragma("wal_checkpoint(TRUNCATE)"),
  );
}

function standsAlone(file: string): boolean {
  const connection = new Connection(`${pathToFileURL(file).href}?immutable=1`, { readonly: true });
  try {
    return connection.prepare("select * from changes order by id desc limit 1").all().length === 1;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}

function sound(file: string) {
  const connection = new Connection(file, { readonly: true });
  const stdout = connection.pragma("integrity_check", { simple: true });
  connection.close();
  return { stdout };
}
