import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { findIntegrityFaults, SqliteDatabase } from "../../src/database/index.ts";
import { countTurns } from "../support/turns.ts";

const NAME = "Zanzibarina";
const ROWS = 4_000;

const folders: string[] = [];
const open: SqliteDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function createFilledDatabase(usesSeparateProcesses: boolean): Promise<SqliteDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-erase-"));
  folders.push(folder);
  const database = new SqliteDatabase({
    path: join(folder, "shop.db"),
    usesSeparateProcesses: usesSeparateProcesses,
  });
  open.push(database);
  await database.write(async (tx) => {
    await tx.run(sql`create table notes (id integer primary key, text text)`);
    for (let n = 0; n < ROWS; n += 1) {
      await tx.run(sql`insert into notes (text) values (${`${NAME} ${n} `.repeat(40)})`);
    }
  });
  await database.write(async (tx) => {
    await tx.run(sql`delete from notes`);
  });
  return database;
}

function bytesOf({ path }: SqliteDatabase): string {
  const folder = join(path, "..");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("\n");
}

async function expectGone(database: SqliteDatabase): Promise<void> {
  expect(bytesOf(database)).not.toContain(NAME);
  expect(await database.findBytes(NAME)).toEqual([]);
  expect(await database.read(findIntegrityFaults)).toEqual({
    fileFaults: [],
    indexFaults: [],
    indexes: [],
  });
}

describe("erasure by a separate process", () => {
  it("erases file and log without blocking the event loop", async () => {
    const database = await createFilledDatabase(true);
    expect(bytesOf(database)).toContain(NAME);
    const turns = await countTurns(async (turn) => {
      const from = turn();
      await database.erase();
      return turn() - from;
    });
    expect(turns).toBeGreaterThan(20);
    await expectGone(database);
  });

  it("preserves concurrent writes", async () => {
    const database = await createFilledDatabase(true);
    const others = { go: true };
    let written = 0;
    const writing = (async () => {
      while (others.go) {
        await database.write(async (tx) => {
          await tx.run(sql`insert into notes (text) values (${`kept ${written}`})`);
        });
        written += 1;
        const rows = await database.read(async (tx) =>
          tx.all<{ count: number }>(sql`select count(*) as count from notes`),
        );
        await setImmediate();
        expect(rows).toEqual([{ count: written }]);
      }
    })();
    await database.erase();
    others.go = false;
    await writing;
    expect(written).toBeGreaterThan(0);
    await expectGone(database);
  });

  it("waits for readers of this process", async () => {
    const database = await createFilledDatabase(true);
    const reader = { go: (): void => undefined };
    const reading = database.read(async (tx) => {
      await tx.all(sql`select count(*) from notes`);
      await new Promise<void>((resolve) => {
        reader.go = resolve;
      });
    });
    let isErased = false;
    const erasing = database.erase().then(() => {
      isErased = true;
    });
    await database.write(async (tx) => {
      await tx.run(sql`insert into notes (text) values ('kept')`);
    });
    expect(isErased).toBe(false);
    reader.go();
    await reading;
    await erasing;
    await expectGone(database);
  });

  it("is cancelled when the database closes", async () => {
    const database = await createFilledDatabase(true);
    const erasing = [database.erase(), database.erase()].map((one) =>
      expect(one).rejects.toMatchObject({ code: "busy" }),
    );
    await database.close();
    await Promise.all(erasing);
    const after = new SqliteDatabase({ path: database.path });
    open.push(after);
    await after.erase();
    await expectGone(after);
  });

  it("erases in this process if no child process can be started", async () => {
    const database = await createFilledDatabase(true);
    const { execPath } = process;
    process.execPath = "/nowhere/node";
    try {
      await database.erase();
    } finally {
      process.execPath = execPath;
    }
    await expectGone(database);
  });
});
