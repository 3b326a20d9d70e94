import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { count, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inSavepoint, SqliteDatabase, type Tx } from "../../src/database/index.ts";
import { connectDriver } from "../../src/database/sqlite/driver.ts";
import { topics } from "../../src/memory/topics/topic.table.ts";
import { CairnError, invalidInput } from "../../src/shared/errors.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: string;
let open: SqliteDatabase[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-database-"));
  open = [];
});

afterEach(async () => {
  for (const database of open) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function database(writeTimeoutMs?: number): SqliteDatabase {
  const options = { path: join(folder, "x.db") };
  const opened = new SqliteDatabase(
    writeTimeoutMs === undefined ? options : { ...options, writeTimeoutMs },
  );
  open.push(opened);
  return opened;
}

async function addTopic(tx: Tx, id: string): Promise<void> {
  const now = "2026-01-01T00:00:00.000Z";
  await tx.insert(topics).values({ id, name: id, description: "", createdAt: now, updatedAt: now });
}

async function countTopics(tx: Tx): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(topics);
  return row?.total ?? 0;
}

describe("a write", () => {
  it("is rolled back as a whole when its body rejects", async () => {
    const db = database();
    const failing = db.write(async (tx) => {
      await addTopic(tx, "a");
      throw invalidInput("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await db.read(countTopics)).toBe(0);
  });

  it("waits for the previous asynchronous write", async () => {
    const db = database();
    const order: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((id) =>
        db.write(async (tx) => {
          order.push(`${id} begins`);
          await setImmediate();
          await addTopic(tx, id);
          order.push(`${id} ends`);
        }),
      ),
    );
    expect(order).toEqual(["a", "b", "c"].flatMap((id) => [`${id} begins`, `${id} ends`]));
  });

  it("fails with busy if another connection holds the lock too long", async () => {
    const first = database();
    const second = database(50);
    let release = () => {};
    let isHeld = false;
    const pending = first.write(() => {
      isHeld = true;
      return new Promise<void>((resolve) => (release = resolve));
    });
    await waitUntil(() => isHeld);
    await expect(second.write((tx) => addTopic(tx, "a"))).rejects.toMatchObject({ code: "busy" });
    release();
    await pending;
    await second.write((tx) => addTopic(tx, "a"));
    expect(await first.read(countTopics)).toBe(1);
  });

  it("waits while another process creates the database, then continues", async () => {
    const db = database();
    const other = connectDriver(join(folder, "x.db"), {});
    other.pragma("journal_mode = WAL");
    other.exec("BEGIN IMMEDIATE");
    let isWritten = false;
    const writing = db
      .write((tx) => addTopic(tx, "a"))
      .then(() => {
        isWritten = true;
      });
    await waitFixedTime(50, "no event may follow");
    expect(isWritten).toBe(false);
    other.exec("ROLLBACK");
    other.close();
    await writing;
    expect(await db.read(countTopics)).toBe(1);
  });

  it("enforces foreign keys and checks", async () => {
    const db = database();
    const orphan = db.write(async (tx) => {
      await tx.run(sql`insert into episode_labels values (99, 'k', 'v')`);
    });
    await expect(orphan).rejects.toMatchObject({
      cause: { code: "SQLITE_CONSTRAINT_FOREIGNKEY" },
    });
  });
});

describe("a write of derived rows", () => {
  const waitsForDisk = async (tx: Tx) => {
    const [row] = await tx.all<{ synchronous: number }>(sql`pragma synchronous`);
    return row?.synchronous === 2;
  };

  it("does not wait for the disk, unlike the next write", async () => {
    const db = database();
    expect(await db.write(waitsForDisk)).toBe(true);
    expect(await db.writeDerived(waitsForDisk)).toBe(false);
    expect(await db.write(waitsForDisk)).toBe(true);
    const failing = db.writeDerived(() => Promise.reject(invalidInput("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await db.write(waitsForDisk)).toBe(true);
  });

  it("yields to another writer, after which writes wait for the disk", async () => {
    const db = database(0);
    await db.write((tx) => addTopic(tx, "a"));
    const other = connectDriver(join(folder, "x.db"), {});
    other.exec("BEGIN IMMEDIATE");
    const refused = db.writeDerived((tx) => addTopic(tx, "b"), { lockTimeoutMs: 0 });
    await expect(refused).rejects.toMatchObject({ code: "busy" });
    other.exec("COMMIT");
    other.close();
    expect(await db.write(waitsForDisk)).toBe(true);
  });
});

describe("a read", () => {
  it("runs during a long write and does not see it before its commit", async () => {
    const db = database();
    let finish: (() => void) | undefined;
    const writing = db.write(async (tx) => {
      await addTopic(tx, "a");
      await new Promise<void>((resolve) => (finish = resolve));
    });
    await waitUntil(() => finish !== undefined);
    expect(await db.read(countTopics)).toBe(0);
    finish?.();
    await writing;
    expect(await db.read(countTopics)).toBe(1);
  });

  it("uses one snapshot during concurrent commits", async () => {
    const db = database();
    await db.write((tx) => countTopics(tx));
    const seen = await db.read(async (tx) => {
      const before = await countTopics(tx);
      await db.write((other) => addTopic(other, "a"));
      return [before, await countTopics(tx)];
    });
    expect(seen).toEqual([0, 0]);
  });

  it("cannot write", async () => {
    const db = database();
    await expect(db.read((tx) => addTopic(tx, "a"))).rejects.toBeInstanceOf(CairnError);
  });

  it("queues if all read connections are in use", async () => {
    const db = database();
    await db.write((tx) => countTopics(tx));
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        db.read(async (tx) => {
          await setImmediate();
          return countTopics(tx);
        }),
      ),
    );
    expect(results).toEqual(Array(20).fill(0));
  });
});

describe("a savepoint", () => {
  it("reverts an expected failure and continues the transaction", async () => {
    const db = database();
    await db.write(async (tx) => {
      await addTopic(tx, "a");
      const failing = inSavepoint(tx, async () => {
        await addTopic(tx, "b");
        throw invalidInput("no");
      });
      await expect(failing).rejects.toThrow("no");
      await inSavepoint(tx, () => addTopic(tx, "c"));
    });
    expect(await db.read(countTopics)).toBe(2);
  });
});

describe("opening", () => {
  it("six concurrent processes migrate a new file once", {
    tags: ["long"],
    timeout: 360_000,
  }, async () => {
    const script = join(folder, "open.mts");
    const source = join(import.meta.dirname, "../../src/database/index.ts");
    writeFileSync(
      script,
      `import { SqliteDatabase } from ${JSON.stringify(source)};
       import { sql } from ${JSON.stringify(import.meta.resolve("drizzle-orm"))};
       const db = new SqliteDatabase({ path: ${JSON.stringify(join(folder, "x.db"))} });
       await db.write(async (tx) => tx.run(sql\`insert into topics values (\${String(process.pid)}, 'n', '', '', '')\`));
       await db.close();`,
    );
    const codes = await Promise.all(
      Array.from(
        { length: 6 },
        () =>
          new Promise((resolve) => {
            const tsx = import.meta.resolve("tsx");
            fork(script, { execArgv: ["--import", tsx] }).on("exit", resolve);
          }),
      ),
    );
    expect(codes).toEqual(Array(6).fill(0));
    expect(await database().read(countTopics)).toBe(6);
  });

  it("rejects invalid and newer files with a cure", async () => {
    writeFileSync(
      join(folder, "x.db"),
      "just some text, and long enough to be looked at".repeat(50),
    );
    await expect(database().read(countTopics)).rejects.toThrow(/not a SQLite database/);
    rmSync(join(folder, "x.db"));
    const db = database();
    await db.maintain((connection) => connection.pragma("user_version = 999"));
    await db.close();
    await expect(database().read(countTopics)).rejects.toThrow(/newer cairn.*Update/);
  });
});
