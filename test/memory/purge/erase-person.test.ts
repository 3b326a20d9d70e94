import { expect, it, onTestFinished } from "vitest";
import { OWNER } from "../../../src/shared/caller.ts";
import { at } from "../../support/defined.ts";
import { testMemory } from "../../support/test-memory.ts";

const NAME = "Zanzibarina";
const ADA = `person:${NAME}`;

/** A team's memory in which one of two people is in everything that it keeps. */
async function teamMemory() {
  const test = testMemory({ recallLog: { recalls: 1000, days: 90 } });
  onTestFinished(() => test[Symbol.asyncDispose]());
  const { call, memory } = test;
  const as = (name: string, operation: string, input: object) =>
    memory.executeNamed(operation, input, {
      caller: { name, scope: "admin" },
      surface: "rest",
      session: "s-9",
    });
  // ep:1 to ep:3 are theirs: said so, by their token, and in an item that was undone, as the next.
  await call("remember", {
    content: "Invoices go out on Mondays",
    asserted_by: NAME,
    session: "s-1",
  });
  await as(NAME, "remember", { content: "The fax is unplugged" });
  await call("remember", { content: "Taken back at once", asserted_by: NAME });
  await call("undo", { change: "change:3" });
  // ep:4 only names them; ep:5 to ep:7 have nothing to do with them, but ep:7 came in with their token.
  await call("remember", { content: `${NAME} owns billing`, entities: `${ADA}, project:shop` });
  await call("remember", {
    content: "The port is 8080",
    episode_type: "fact",
    entities: "project:shop",
    asserted_by: "Bob",
  });
  await call("remember", {
    content: "The port is 9090",
    episode_type: "fact",
    entities: "project:shop",
    asserted_by: "Carl",
  });
  await as(NAME, "remember", { content: "Said by Bob", asserted_by: "Bob" });
  await call("delete", { id: "ep:2" });
  await call("entity_relation", { source: ADA, target: "project:shop", relation: "owns" });
  await call("read_source", {
    kind: "claude-code",
    key: "s-1",
    title: `Session of ${NAME}`,
    mark: "1",
    passages: [passage("turn-1", "user", "please send the invoices")],
  });
  await call("read_source", {
    kind: "git",
    key: "repo",
    title: "History",
    mark: "1",
    passages: [passage("c1", NAME, "Fix the invoice"), passage("c2", "Bob", "Fix the port")],
  });
  await call("propose", { content: "Maybe we bill in euros", asserted_by: NAME });
  await call("propose", { content: "Maybe the shop moves", asserted_by: "Bob" });
  await as(NAME, "create_concept", { title: "How we bill", from: "ep:5" });
  await as(NAME, "recall", { query: "invoices" });
  await as("Bob", "recall", { query: `what did ${NAME} say` });
  await call("recalls");
  return { ...test, as };
}

const passage = (key: string, by: string, text: string) => ({
  ...{ key, by, text },
  occurred_at: "2026-01-01T00:00:00Z",
});

it("forgets a person with their name, so that no byte of it is left, and nobody else", async () => {
  const { call, memory } = await teamMemory();
  const before = (await call("changes")).count;
  const dry = await call("erase", { person: NAME, entity: ADA, dry_run: true });
  expect((await call("changes")).count).toBe(before);
  const { id, ...erased } = await call("erase", { person: NAME, entity: ADA });
  expect(id).toMatch(/^change:/);
  expect(erased).toEqual(dry);
  expect(erased).toMatchObject({
    erased: { episodes: 4, concepts: 1, sources: 1, passages: 2, proposals: 1, recalls: 1 },
    held: [],
    remains: [],
  });
  expect(erased.erased.changes).toBeGreaterThan(3);
  const database = await memory.database();
  for (const text of [
    NAME,
    "Invoices go",
    "unplugged",
    "send the invoices",
    "in euros",
    "How we bill",
  ]) {
    expect(await database.findBytes(text), text).toEqual([]);
  }
  const { episodes } = await call("list_episodes");
  expect(episodes.map(({ content }) => content).sort()).toEqual([
    "Said by Bob",
    "The port is 8080",
    "The port is 9090",
  ]);
  expect((await call("list_proposals")).proposals).toMatchObject([{ asserted_by: "Bob" }]);
  expect((await call("list_sources")).sources).toMatchObject([{ id: "source:2" }]);
  expect((await call("list_entities")).entities).toMatchObject([{ id: "project:shop" }]);
  const { recalls } = await call("recalls");
  expect(recalls).toMatchObject([{ by: "Bob", question: null }]);
});

it("by what they wrote alone leaves what others wrote about them, and the other way round", async () => {
  const written = await teamMemory();
  const { purged } = await written.call("erase", { person: NAME });
  expect(purged).not.toContain("ep:4");
  expect(await written.call("get_episode", { episode_id: "ep:4" })).toMatchObject({
    content: `${NAME} owns billing`,
  });
  const named = await teamMemory();
  expect(await named.call("erase", { entity: ADA })).toMatchObject({
    purged: ["ep:4"],
    erased: { episodes: 1, recalls: 0, changes: 0 },
  });
  expect(await named.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "Invoices go out on Mondays",
    asserted_by: NAME,
  });
  const entities = (await named.call("list_entities")).entities.map((entity) => entity.id);
  expect(entities).toEqual(["project:shop"]);
});

it("leaves what is held, with its session and the name, and says so", async () => {
  const { call } = await teamMemory();
  await call("label", { id: "ep:1", key: "hold", value: "case-7" });
  await call("label", { id: "ep:4", key: "hold", value: "case-8" });
  const { held, purged, remains, erased } = await call("erase", { person: NAME, entity: ADA });
  expect(held).toEqual([
    { id: "ep:1", hold: "case-7" },
    { id: "ep:4", hold: "case-8" },
  ]);
  expect(purged).toContain("ep:2");
  expect(purged.filter((one) => ["ep:1", "ep:4", "source:1"].includes(one))).toEqual([]);
  expect(erased.changes).toBe(0);
  expect(remains).toEqual([
    expect.stringContaining(ADA),
    expect.stringContaining("The name stays at changes"),
  ]);
  expect(await call("get_episode", { episode_id: "ep:1" })).toMatchObject({ asserted_by: NAME });
});

it("takes the name from decisions of what stays", async () => {
  const { call, as, memory } = await teamMemory();
  await call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
  const { conflicts } = await call("list_conflicts");
  await as(NAME, "resolve_conflict", {
    conflict_id: at(conflicts, 0).id,
    winning_fact_id: "fact:2",
    resolved_by: NAME,
  });
  await as(NAME, "reject_proposal", { proposal_id: "proposal:2" });
  await call("erase", { person: NAME, entity: ADA });
  expect(await (await memory.database()).findBytes(NAME)).toEqual([]);
  expect((await call("list_conflicts", { status: "resolved" })).conflicts).toMatchObject([
    { id: at(conflicts, 0).id, resolved_by: null },
  ]);
});

it("is an admin's, wants a name, and finds nothing twice", async () => {
  const { call, failure, memory } = await teamMemory();
  const asDecider = { caller: { ...OWNER, name: "Bob", scope: "decide" as const } };
  await expect(memory.executeNamed("erase", { person: NAME }, asDecider)).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await failure("erase", {})).toMatchObject({ code: "invalid_input" });
  expect(await failure("erase", { person: " " })).toMatchObject({ code: "invalid_input" });
  await call("erase", { person: NAME });
  expect(await call("erase", { person: NAME })).toMatchObject({
    purged: [],
    erased: { changes: 0 },
  });
});
