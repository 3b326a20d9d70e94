import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { selectRows, type Tx } from "../../../src/database/index.ts";
import { listEvents } from "../../../src/memory/events/event.queries.ts";
import { createFeedFilter } from "../../../src/memory/filters/feed-filter.ts";
import { selectFilterFields } from "../../../src/memory/filters/filter-condition.ts";
import { resolveFilter } from "../../../src/memory/filters/resolve-filter.ts";
import { listChanges } from "../../../src/memory/history/load-changes.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { openPlanRecorder } from "../../support/query-plans.ts";
import { ENGINE } from "../../support/test-backend.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

type Given = Readonly<Record<string, unknown>>;

const EPISODE_TYPES = ["observation", "decision", "fact"];

/** Filters that match at most a few old changes in a long feed. */
const SELDOM: readonly (readonly [given: Given, changes: number])[] = [
  [{ labels: "area=build" }, 1],
  [{ entity: "tool:redis" }, 1],
  [{ entity: "tool:unheard-of" }, 0],
  [{ topic: "Shop" }, 1],
  [{ type: "decision" }, 1],
  [{ text: "pnpm" }, 1],
  [{ has: "source" }, 1],
  [{ has: "conflict" }, 0],
  [{ pending: true, labels: "area=build" }, 1],
  [{ by: "Ada" }, 1],
  [{ session: "first" }, 1],
  [{ until: "2026-05-01" }, 3],
  [{ since: "2030-01-01" }, 0],
  [{ since: "2030-01-01", type: "observation" }, 0],
];

async function longFeed(length: number): Promise<TestMemory> {
  const t = createTestMemory();
  await t.call("create_topic", { name: "Shop" });
  await t.call("remember", { content: "The door is open", episode_type: "observation" });
  await t.call("remember", {
    content: "We use pnpm",
    episode_type: "decision",
    entities: "tool:redis",
    labels: "area=build",
    topic: "Shop",
    source_ref: "notes.md",
    asserted_by: "Ada",
    session: "first",
  });
  const now = "2026-06-01T00:00:00.000Z";
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.raw(String(length))})`;
  await (await t.memory.database()).write(async (tx) => {
    await tx.run(
      sql`insert into changes(id, ts, author, surface, session, operation) ${numbers} select 100 + n, ${now}, 'cli', 'cli', 'later', 'label' from numbers`,
    );
    await tx.run(
      sql`insert into events(seq, ts, kind, subject_type, subject_id, change_id) ${numbers} select 100 + n, ${now}, 'labeled', 'episode', 'ep:1', 100 + n from numbers`,
    );
    await tx.run(
      sql`insert into event_items(item, seq) ${numbers} select 'ep:1', 100 + n from numbers`,
    );
    // PostgreSQL would run this itself some time after the writes.
    if (ENGINE === "postgres") await tx.run(sql`analyze changes`);
  });
  return t;
}

const fields = z.strictObject(selectFilterFields("event"));

async function readBoth(tx: Tx, input: Given) {
  const context = { tx, now: "2026-06-01T00:00:00.000Z", episodeTypes: EPISODE_TYPES };
  const filter = await resolveFilter(context, fields.parse(input));
  return {
    changes: await listChanges(tx, { filter: createFeedFilter("change", filter) }, 50),
    events: await listEvents(tx, {
      sinceSeq: 0,
      limit: 200,
      filter: createFeedFilter("event", filter),
    }),
  };
}

describe("in a long feed", () => {
  let t: TestMemory;
  beforeAll(async () => {
    t = await longFeed(40_000);
  });
  afterAll(async () => await t[Symbol.asyncDispose]());

  it.each(SELDOM)("finds rare matches of %j at the other end", async (input, count) => {
    const database = await t.memory.database();
    const [found, rows] = await database.read(async (tx) => {
      const before = await rowsRead(tx);
      return [await readBoth(tx, input), (await rowsRead(tx)) - before];
    });
    expect(found.changes).toHaveLength(count);
    expect(found.events).toHaveLength(count);
    // Of 120 000 rows: the newest 1 000 changes and events, and their lookups.
    expect(rows).toBeLessThan(4000);
  });
});

/**
 * Number of rows read on this connection since the last statistics flush, which happens between
 * transactions. Always 0 on SQLite.
 */
async function rowsRead(tx: Tx): Promise<number> {
  if (ENGINE !== "postgres") return 0;
  const [row] = await selectRows<[number: unknown]>(
    tx,
    sql`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables`,
  );
  return Number(row?.[0]);
}

itOnSqlite.each(SELDOM)(
  "reads %j by keys and indexes, in as many statements as of a short feed",
  async (input) => {
    const [short, long] = [await planOf(2500, input), await planOf(9000, input)];
    expect(long).toEqual(short);
    // The fact type is a constant condition, which SQLite checks before it reads a row.
    const tables =
      /^SCAN (changes|events|event_items|conflicts|(episodes|facts)(?! USING COVERING))\b/;
    const whole = long.filter((step) => tables.test(step));
    expect(whole).toEqual([]);
  },
);

async function planOf(length: number, input: Given): Promise<readonly string[]> {
  await using t = await longFeed(length);
  using plans = openPlanRecorder(join(t.folder, "default.db"));
  await readBoth(plans.tx, input);
  return plans.read();
}
