import Connection from "better-sqlite3";
import { expect, it } from "vitest";
import { loggedTables } from "../../../src/database/sqlite/migrate.ts";
import { LOGGED_TABLES } from "../../../src/memory/history/logged-tables.ts";
import { exportDatabase, importDatabase } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { createTestMemory } from "../../support/test-memory.ts";

it("records each write as one change with author, surface and events", async () => {
  await using test = createTestMemory();
  await test.memory.execute("remember", { content: "One", asserted_by: "Ada" }, { surface: "cli" });
  await test.memory.executeNamed(
    "apply",
    { changeset: 'remember by=Bob "Two"\nremember "Three"' },
    { caller: OWNER, surface: "mcp", session: "s1" },
  );
  await test.memory.execute("label", { id: "ep:1", key: "a", value: "b" }, { surface: "rest" });
  const { changes } = await test.call("changes");
  expect(
    changes.map(({ id, author, surface, operation, event_count, session }) => ({
      id,
      author,
      surface,
      operation,
      event_count,
      session,
    })),
  ).toEqual([
    {
      id: "change:3",
      author: "rest",
      surface: "rest",
      operation: "label",
      event_count: 1,
      session: null,
    },
    {
      id: "change:2",
      author: "Bob",
      surface: "mcp",
      operation: "apply",
      event_count: 2,
      session: "s1",
    },
    {
      id: "change:1",
      author: "Ada",
      surface: "cli",
      operation: "remember",
      event_count: 1,
      session: null,
    },
  ]);
  expect(itemAt(changes, 0).events).toMatchObject([{ kind: "labeled", change_id: "change:3" }]);
});

it("filters changes by author, kind, session, time and number", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One", asserted_by: "Ada", session: "a" });
  test.clock.advance(86_400_000);
  await test.call("remember", { content: "Two", asserted_by: "Bob", session: "b" });
  await test.call("delete", { id: "ep:1" });
  const ids = async (filter: object) =>
    (await test.call("changes", filter)).changes.map(({ id }: { id: string }) => id);
  expect(await ids({ author: "Ada" })).toEqual(["change:1"]);
  expect(await ids({ session: "b" })).toEqual(["change:2"]);
  expect(await ids({ kind: "deleted" })).toEqual(["change:3"]);
  expect(await ids({ end_date: "2026-01-01" })).toEqual(["change:1"]);
  expect(await ids({ after: "change:1", before: "3" })).toEqual(["change:2"]);
  expect(await test.call("changes", { limit: 1 })).toMatchObject({ next_before: "change:3" });
  expect((await test.failure("changes", { after: "ep:1" })).message).toMatch(/change:1/);
});

it("records no change for failures, dry runs and repeated requests", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One", idempotency_key: "k" });
  await test.call("remember", { content: "One", idempotency_key: "k" });
  await test.call("apply", { changeset: 'remember "Two"', dry_run: true });
  await test.failure("delete", { id: "ep:9" });
  expect((await test.call("changes")).count).toBe(1);
});

it("returns an episode's history with text before and after", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "Old text", labels: "a=1" });
  await test.call("update_episode", { episode_id: "ep:1", content: "New text", labels: "a=2" });
  const { events, version } = await test.call("history", { id: "ep:1" });
  expect(version).toBe(2);
  expect(events[0]).toMatchObject({
    kind: "updated",
    change_id: "change:2",
    changed: [
      { subject_id: "ep:1", field: "content", before: "Old text", after: "New text" },
      { subject_id: "ep:1", field: "labels", before: "a=1", after: null },
      { subject_id: "ep:1", field: "labels", before: null, after: "a=2" },
    ],
  });
  const feed = await test.call("events");
  expect(itemAt(feed.events, 1).changed).toEqual(itemAt(events, 0).changed);
});

it("has a history for everything that has an id", async () => {
  await using test = createTestMemory();
  await test.apply(
    'remember as=a t=fact e=person:Ada "Ada is in Rome"',
    'remember as=b t=fact e=person:Ada "Ada is in Oslo"',
    'conflict as=c fact_a=$a fact_b=$b "Where?"',
    'topic name=Travel "Trips"',
    "label id=$a key=area value=home",
  );
  const kinds = async (id: string) =>
    (await test.call("history", { id })).events.map(({ kind }) => kind);
  const { cluster_id: cluster } = await test.call("remember", {
    content: "Ada is home",
    episode_type: "fact",
    entities: "person:Ada",
  });
  expect(await kinds("fact:1")).toEqual(["conflict_opened", "remembered"]);
  expect(await kinds("conflict:1")).toEqual(["conflict_opened"]);
  expect(await kinds("person:ada")).toEqual(["remembered", "remembered", "remembered"]);
  expect(await kinds(expectDefined(cluster))).toEqual(["remembered", "remembered", "remembered"]);
  expect(await kinds("travel")).toEqual(["updated"]);
  expect(await kinds("area=home")).toEqual(["labeled"]);
  expect(await test.failure("history", { id: "ep:99" })).toMatchObject({ code: "not_found" });
  expect(await test.failure("history", { id: "person:Nobody" })).toMatchObject({
    code: "not_found",
  });
});

it("pages a long history", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  for (let n = 0; n < 5; n += 1) await test.call("label", { id: "ep:1", key: "n", value: `${n}` });
  const first = await test.call("history", { id: "ep:1", limit: 4 });
  expect(first.next_before_seq).toBe(3);
  const rest = await test.call("history", {
    id: "ep:1",
    before_seq: expectDefined(first.next_before_seq),
  });
  expect(rest.events.map(({ seq }: { seq: number }) => seq)).toEqual([2, 1]);
  expect(rest.next_before_seq).toBeNull();
});

itOnSqlite("logs the rows of every table that holds memory", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "One" });
  const connection = new Connection((await getSqliteDatabase(test.memory)).path, {
    readonly: true,
  });
  const logged = loggedTables(connection);
  connection.close();
  expect(logged).toEqual(LOGGED_TABLES.map(({ name }) => name).sort());
});

async function exported(memory: Parameters<typeof exportDatabase>[0]): Promise<string> {
  let text = "";
  await exportDatabase(memory, async (chunk) => {
    text += chunk;
  });
  return text;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  for (const line of text.trimEnd().split("\n")) yield line;
}

it("exports and imports changes, and reads older exports without them", async () => {
  await using from = createTestMemory();
  await using to = createTestMemory();
  await using older = createTestMemory();
  await from.apply('remember t=fact e=person:Ada "Ada is in Rome"', 'remember "Two"');
  await from.call("update_episode", { episode_id: "ep:2", content: "Two, changed" });
  const text = await exported(from.memory);
  await importDatabase(to.memory, linesOf(text));
  expect(await exported(to.memory)).toBe(text);
  expect(await to.call("history", { id: "ep:2" })).toEqual(
    await from.call("history", { id: "ep:2" }),
  );
  const before = text
    .split("\n")
    .filter((line) => !/"table":"(?:changes|row_changes|event_items|purged_items)"/.test(line))
    .filter((line) => !line.startsWith('{"end":'))
    .map((line) => line.replace('"version":2', '"version":1').replace(/,"change_id":\d+/, ""))
    .join("\n");
  await importDatabase(older.memory, linesOf(before));
  expect((await older.call("changes")).changes).toMatchObject([
    { id: "change:1", operation: "import", author: "import", event_count: 3 },
  ]);
  expect((await older.call("history", { id: "ep:2" })).count).toBe(2);
});
