import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { AppCache, createApp } from "../../../src/app/index.ts";
import type { Database, Tx } from "../../../src/database/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";

/** Cache limit per connection of an idle daemon. */
const MOST_KIB = 8_000;
const MANY = 8;
const SETTLED_MS = 200;

const folder = mkdtempSync(join(tmpdir(), "cairn-test-"));
const options = {
  flags: { embeddingProvider: "none" },
  env: { CAIRN_DATA_DIR: join(folder, "data"), HOME: folder },
  cwd: folder,
  reader: "model" as const,
  logger: silentLogger,
};
const apps = new AppCache({ check: () => undefined, own: options, logger: silentLogger });

afterAll(async () => {
  await apps.close();
  rmSync(folder, { recursive: true, force: true });
});

it("limits the daemon to few cached pages and two readers per database", async () => {
  const kept = apps.open(options);
  const alone = createApp(options);
  try {
    await alone.store.open().execute("remember", { content: "The build is green again" });
    const few = await pagesOf(kept.store.open().databaseToFill);
    expect(few.every((kib) => kib > 0 && kib <= MOST_KIB)).toBe(true);
    expect(few).toHaveLength(1 + 2);
    const usual = await pagesOf(alone.store.open().databaseToFill);
    expect(usual.every((kib) => kib > MOST_KIB)).toBe(true);
    expect(usual.length).toBeGreaterThan(few.length);
  } finally {
    await alone.close();
    await kept.close();
  }
});

/** Returns the cache limit in KiB of the writer and of each concurrent reader. */
async function pagesOf(database: Database): Promise<number[]> {
  const pages = [await database.write(kibOf)];
  const readers = new Set<Tx>();
  const done = new AbortController();
  const readings = Array.from({ length: MANY }, () =>
    database.read(async (tx) => {
      if (readers.has(tx)) return;
      readers.add(tx);
      pages.push(await kibOf(tx));
      if (!done.signal.aborted) await once(done.signal, "abort");
    }),
  );
  // Queued reads get no connection while the others run.
  await expect.poll(() => readers.size).toBeGreaterThan(1);
  await waitFixedTime(SETTLED_MS, "no event may follow");
  done.abort();
  await Promise.all(readings);
  return pages;
}

/** SQLite reports a size in KiB as a negative number. */
async function kibOf(tx: Tx): Promise<number> {
  const row = await tx.get<{ cache_size: number }>(sql`pragma cache_size`);
  return -Number(row?.cache_size);
}
