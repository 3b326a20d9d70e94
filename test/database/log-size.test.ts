import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { SqliteDatabase } from "../../src/database/index.ts";

const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "cairn-test-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("truncates a large log after a stalled reader has ended", async () => {
  const path = join(folder, "default.db");
  const logBytes = () => statSync(`${path}-wal`).size;
  const database = new SqliteDatabase({ path });
  const add = (bytes: number) =>
    database.write(async (tx) => {
      await tx.run(
        sql`insert into meta(key, value) values (hex(randomblob(8)), zeroblob(${bytes}))`,
      );
    });
  await add(1);
  await database.read(async (tx) => {
    await tx.all(sql`select count(*) from meta`);
    for (let write = 0; write < 24; write += 1) await add(MEGABYTE);
    expect(logBytes()).toBeGreaterThan(20 * MEGABYTE);
  });
  // The first write checkpoints the log, the second restarts it.
  await add(MEGABYTE);
  await add(MEGABYTE);
  expect(logBytes()).toBeLessThanOrEqual(16 * MEGABYTE);
  await database.close();
}, 60_000);
