import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { SqliteDatabase } from "../../../src/database/index.ts";
import {
  createOperations,
  diagnose,
  exportDatabase,
  openMemory,
} from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { itemAt } from "../../support/defined.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const NAME = "Zanzibarina";

function bytesOf({ folder }: TestMemory): string {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("\n");
}

async function erasingMark({ memory }: TestMemory): Promise<unknown[]> {
  return (await memory.database()).read(async (tx) =>
    tx.all(sql`select * from meta where key = 'erasing'`),
  );
}

async function expectGone(test: TestMemory): Promise<void> {
  expect(bytesOf(test).toLowerCase()).not.toContain(NAME.toLowerCase());
  expect(await (await test.memory.database()).findBytes(NAME)).toEqual([]);
  expect((await diagnose(test.memory)).findings).toEqual([]);
}

it("removes a name everywhere without leaving a byte", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "Something else", entities: "project:shop" });
  await test.call("remember", {
    content: `${NAME} called about the invoice`,
    entities: `person:${NAME}, project:shop`,
    labels: `customer=${NAME}`,
    metadata: { who: NAME },
    asserted_by: `clerk of others`,
    source_ref: `mail from ${NAME}`,
    idempotency_key: "once",
  });
  await test.call("update_episode", { episode_id: "ep:2", content: `${NAME} called twice` });
  await test.call("create_concept", { title: "Calls", from: "ep:2" });
  const { concepts } = await test.call("list_concepts");
  await test.call("evidence", {
    concept: itemAt(concepts, 0).id,
    episode: "ep:2",
    type: "supporting",
    note: `${NAME} said so`,
  });
  await test.call("unlabel", { id: "ep:2", key: "customer" });
  expect(await (await test.memory.database()).findBytes(NAME)).not.toEqual([]);
  expect(await test.call("purge", { ids: "ep:2" })).toMatchObject({ purged: ["ep:2"] });
  await expectGone(test);
  expect(await erasingMark(test)).toEqual([]);
  const { events } = await test.call("history", { id: "ep:2" });
  expect(events[0]).toMatchObject({ kind: "deleted", payload: { op: "purge" } });
  expect((await test.call("list_deleted")).episodes).toMatchObject([
    { id: "ep:2", content: "[purged]" },
  ]);
  expect((await test.failure("restore", { id: "ep:2" })).message).toMatch(/purged/);
  expect((await test.failure("undo", { change: "change:3" })).message).toMatch(/purged/);
  expect((await test.failure("undo")).message).toMatch(/purged/);
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "Something else",
  });
});

it("purges a fact with its episode, its cluster's title, its conflicts and kept collisions", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: `${NAME} lives here`, episode_type: "fact" });
  await test.call("remember", {
    content: `${NAME} lives here`,
    episode_type: "fact",
    idempotency_key: "k",
  });
  await test.call("open_conflict", {
    fact_a: "fact:1",
    fact_b: "fact:2",
    description: `where is ${NAME}`,
  });
  await test.call("resolve_conflict", {
    conflict_id: "conflict:1",
    winning_fact_id: "fact:1",
    note: `ask ${NAME}`,
  });
  expect(await test.call("purge", { ids: ["fact:2", "ep:1"] })).toMatchObject({
    purged: ["ep:2", "fact:2", "ep:1", "fact:1"],
  });
  await expectGone(test);
});

it("purges a concept with all titles it had, and what was undone", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  const { id } = await test.call("create_concept", {
    title: NAME,
    summary: `About ${NAME}`,
    from: "ep:1",
    labels: `n=${NAME}`,
  });
  await test.call("update_concept", { concept_id: id, title: "Other", tags: NAME });
  await test.call("remember", { content: `${NAME} was here` });
  await test.call("undo");
  await test.call("purge", { ids: [id, "ep:2"] });
  await expectGone(test);
});

it("reports concepts and sources derived from purged items", async () => {
  await using test = createTestMemory();
  await test.call("remember", {
    ...{ content: `${NAME} moved to Rome`, entities: `person:${NAME}`, asserted_by: NAME },
  });
  await test.call("create_concept", { title: `${NAME} in Rome`, from: "ep:1" });
  await test.call("read_source", {
    ...{ kind: "claude-code", key: "session", title: `${NAME} asks` },
    passages: [
      { key: "1", by: NAME, text: "Where is Rome?", occurred_at: test.clock.now().toISOString() },
    ],
  });
  const { id } = itemAt((await test.call("list_concepts")).concepts, 0);
  const concept = { id, title: `${NAME} in Rome` };
  const source = { id: "source:1", title: `${NAME} asks` };
  const dryRun = { dry_run: true };
  expect(await test.call("purge", { entity: `person:${NAME}`, ...dryRun })).toMatchObject({
    purged: ["ep:1"],
    derived: [concept],
  });
  expect(await test.call("purge", { by: NAME })).toMatchObject({
    purged: ["passage:1", "ep:1"],
    derived: [concept, source],
  });
  expect(await test.call("purge", { ids: [id, "source:1"] })).not.toHaveProperty("derived");
  await expectGone(test);
});

it("releases the topic of purged items, so that it can be deleted", async () => {
  await using test = createTestMemory();
  await test.call("create_topic", { name: NAME });
  await test.call("remember", { content: "A call", topic: NAME });
  const { id } = await test.call("create_concept", { title: "Calls", from: "ep:1" });
  await test.call("set_topic", { id, topic: NAME });
  await test.call("purge", { ids: ["ep:1", id] });
  expect(await test.call("delete_topic", { topic_id: NAME })).toEqual({ id: NAME.toLowerCase() });
  expect(await test.call("list_topics")).toMatchObject({ topics: [], total: 0 });
});

it("purges a fact with entities without doctor findings", async () => {
  await using test = createTestMemory();
  await test.call("remember", {
    content: `${NAME} uses it`,
    episode_type: "fact",
    entities: "tool:pg",
  });
  await test.call("purge", { ids: "fact:1" });
  await expectGone(test);
});

const CORRECTED: readonly [way: string, play: (test: TestMemory) => Promise<unknown>][] = [
  [
    "entities that were corrected",
    async (test) => {
      await test.call("remember", { content: "A call", entities: `person:${NAME}` });
      await test.call("update_episode", { episode_id: "ep:1", entities: "person:Other" });
    },
  ],
  [
    "entities of a write that was undone",
    async (test) => {
      await test.call("remember", { content: "A call" });
      await test.call("update_episode", { episode_id: "ep:1", entities: `person:${NAME}` });
      await test.call("undo");
    },
  ],
  [
    "an item that was undone",
    async (test) => {
      await test.call("remember", { content: "A call", entities: `person:${NAME}` });
      await test.call("undo");
    },
  ],
  [
    "who asserted it, and in which session",
    (test) =>
      test.call("remember", {
        content: "A call",
        asserted_by: NAME,
        session: `session of ${NAME}`,
      }),
  ],
  [
    "the text of an idempotency key",
    (test) =>
      test.call("remember", { content: "A call", idempotency_key: `about ${NAME}, asked today` }),
  ],
  [
    "the key of a request that made other items too",
    (test) =>
      test.call("apply", {
        changeset: `remember "A call"\nremember "Kept"`,
        idempotency_key: `about ${NAME}`,
      }),
  ],
  [
    "content that was corrected, a label that was taken off, metadata and source",
    async (test) => {
      await test.call("remember", {
        content: `${NAME} called`,
        metadata: { who: NAME },
        source_ref: NAME,
        labels: `who=${NAME}`,
      });
      await test.call("update_episode", { episode_id: "ep:1", content: "A call" });
      await test.call("unlabel", { id: "ep:1", key: "who" });
    },
  ],
  [
    "who resolved a conflict, and the description",
    async (test) => {
      await test.apply('remember t=fact "Kept on the left"', 'remember t=fact "Kept on the right"');
      await test.call("open_conflict", {
        fact_a: "fact:1",
        fact_b: "fact:2",
        description: `${NAME} asks`,
      });
      await test.call("resolve_conflict", {
        conflict_id: "conflict:1",
        winning_fact_id: "fact:1",
        resolved_by: NAME,
      });
    },
  ],
];

itOnSqlite.each(CORRECTED)("forgets the name in %s", async (_way, play) => {
  await using test = createTestMemory();
  await play(test);
  expect(bytesOf(test)).toContain(NAME);
  await test.call("purge", { ids: "ep:1" });
  await expectGone(test);
});

it("retains names used by other items", async () => {
  await using test = createTestMemory();
  const said = { entities: "person:Ada", asserted_by: "ada", session: "s1" };
  await test.call("remember", { content: `${NAME} called`, ...said });
  await test.call("remember", { content: "Something else", ...said });
  await test.call("purge", { ids: "ep:1" });
  await expectGone(test);
  expect((await test.call("list_entities")).entities).toMatchObject([
    { id: "person:Ada", mention_count: 1 },
  ]);
  const { changes } = await test.call("changes", { author: "ada" });
  expect(changes.map(({ session }) => session)).toEqual(["s1", "s1"]);
});

it("frees idempotency keys only of undone or purged requests", async () => {
  await using test = createTestMemory();
  const request = { content: "Once", idempotency_key: "k" };
  await test.call("remember", request);
  await test.call("undo");
  await test.call("redo");
  expect(await test.call("remember", request)).toMatchObject({ id: "ep:1" });
  await test.call("undo", { change: "change:1" });
  expect(await test.call("remember", request)).toMatchObject({ id: "ep:2" });
  expect(await test.call("remember", request)).toMatchObject({ id: "ep:2" });
  await test.call("purge", { ids: "ep:2" });
  expect(await test.call("remember", request)).toMatchObject({ id: "ep:3" });
  const group = { changeset: 'remember "A"\nremember "B"', idempotency_key: "g" };
  await test.call("apply", group);
  await test.call("purge", { ids: "ep:4" });
  expect((await test.call("apply", group)).results).toMatchObject([{ id: "ep:4" }, { id: "ep:5" }]);
  expect((await test.failure("apply", { ...group, changeset: 'remember "C"' })).code).toBe(
    "conflict",
  );
  await test.call("purge", { ids: "ep:5" });
  expect((await test.call("apply", group)).results).toMatchObject([{ id: "ep:6" }, { id: "ep:7" }]);
});

it("deletes the vector with the text", async () => {
  await using test = createTestMemory({ embedder: createWordEmbedder() });
  await test.call("remember", { content: `${NAME} was here` });
  await test.memory.makeMissingVectors();
  await test.call("purge", { ids: "ep:1" });
  const rows = await (await test.memory.database()).read(async (tx) =>
    tx.all(sql`select * from vectors`),
  );
  expect(rows).toEqual([]);
  await expectGone(test);
});

it("rejects invalid ids, unknown items and clusters with active facts without changes", async () => {
  await using test = createTestMemory();
  const { cluster_id: cluster } = await test.call("remember", {
    content: "F",
    episode_type: "fact",
  });
  expect(await test.failure("purge", { ids: "person:Ada" })).toMatchObject({
    code: "invalid_input",
  });
  expect(await test.failure("purge", { ids: "ep:1,ep:9" })).toMatchObject({ code: "not_found" });
  expect(await test.failure("purge", { ids: cluster })).toMatchObject({ code: "conflict" });
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({ content: "F" });
  expect((await test.call("changes")).count).toBe(1);
});

itOnSqlite("finishes a purge that was cut off after its commit", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: `${NAME} ${"word ".repeat(200)}` });
  await test.call("update_episode", { episode_id: "ep:1", content: "Nothing" });
  await (await test.memory.database()).write(async (tx) => {
    await tx.run(sql`update row_changes set before = null, after = null`);
    await tx.run(sql`insert into meta(key, value) values ('erasing', '2')`);
  });
  expect(bytesOf(test)).toContain(NAME);
  const later = openMemory({
    name: "default",
    database: new SqliteDatabase({ path: (await getSqliteDatabase(test.memory)).path }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
  });
  await later.execute("remember", { content: "The next write" });
  await later.close();
  await expectGone(test);
  expect(await erasingMark(test)).toEqual([]);
});

itOnSqlite(
  "reads the log as often for many items as for one, after undo and redo too",
  async () => {
    const statements: string[] = [];
    await using test = createTestMemory({ onStatement: (statement) => statements.push(statement) });
    await test.apply(
      ...Array.from(
        { length: 40 },
        (_, n) => `remember t=fact e=tool:t${n} labels=a=b${n} "is ${n}"`,
      ),
    );
    await test.call("undo");
    await test.call("redo");
    using connection = readerOf(join(test.folder, "default.db"));
    const readsOfPurge = async (ids: readonly string[]) => {
      statements.length = 0;
      await test.call("purge", { ids: [...ids] });
      return statements.filter((statement) => connection.plans(statement).some(isUnbounded));
    };
    expect(await readsOfPurge(["ep:1"])).toHaveLength(3);
    expect(await readsOfPurge(Array.from({ length: 20 }, (_, n) => `ep:${n + 2}`))).toHaveLength(3);
  },
);

/** Matches plans whose cost grows with the log instead of with the item. */
const isUnbounded = (plan: string): boolean =>
  /^(SCAN|SEARCH) (row_changes|event_items|events|changes)\b/.test(plan) &&
  !/\(rowid=\?\)|\((item|author|session)=\?|table_name=\? AND row_key/.test(plan);

function readerOf(path: string) {
  const connection = new BetterSqlite3(path, { readonly: true });
  return {
    plans(statement: string): string[] {
      if (!/^(select|update|delete).*"(row_changes|event_items|events|changes)"/.test(statement)) {
        return [];
      }
      const values = (statement.match(/\?/g) ?? []).map(() => null);
      const rows = connection.prepare<unknown[], { detail: string }>(
        `explain query plan ${statement}`,
      );
      return rows.all(...values).map(({ detail }) => detail);
    },
    [Symbol.dispose]: () => void connection.close(),
  };
}

it("survives an export and an import", async () => {
  await using from = createTestMemory();
  await from.call("remember", { content: `${NAME}` });
  await from.call("purge", { ids: "ep:1" });
  let text = "";
  await exportDatabase(from.memory, async (chunk) => {
    text += chunk;
  });
  expect(text).not.toContain(NAME);
  expect(text).toContain('"purged_items"');
});
