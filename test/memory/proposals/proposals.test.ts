import { expect, it } from "vitest";
import {
  diagnose,
  exportDatabase,
  importDatabase,
  type MemoryEngine,
} from "../../../src/memory/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const CLAIM = {
  content: "Money is kept as Decimal.",
  episode_type: "decision",
  entities: ["file:src/money.ts"],
  labels: ["captured=claude-code"],
  asserted_by: "assistant",
  quotation: "money is now Decimal",
  evidence: ["passage:12", "passage:13"],
  reason: "the assistant stated it without confirmation by the user",
};

async function exported(memory: MemoryEngine): Promise<string> {
  let text = "";
  await exportDatabase(memory, async (chunk) => {
    text += chunk;
  });
  return text;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n").filter((line) => line !== "");
}

it("is not memory until it is accepted", async () => {
  await using t = createTestMemory();
  await t.call("propose", CLAIM);
  expect((await t.call("recall", { query: "money" })).episodes).toEqual([]);
  expect((await t.call("list_proposals")).proposals).toMatchObject([
    { id: "proposal:1", status: "open", ...CLAIM, times: 1, episode_id: null },
  ]);
  const accepted = await t.call("accept_proposal", { proposal_id: "proposal:1", note: "agreed" });
  expect(accepted).toEqual({
    id: "proposal:1",
    status: "accepted",
    episode_id: "ep:1",
    replaced: [],
  });
  expect(await t.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: CLAIM.content,
    episode_type: "decision",
    entities: CLAIM.entities,
    asserted_by: "assistant",
    source_ref: "passage:12",
    metadata: { learned: { quotation: CLAIM.quotation, evidence: CLAIM.evidence } },
  });
  expect((await t.call("list_proposals")).proposals).toEqual([]);
  expect((await t.call("list_proposals", { status: "accepted" })).proposals).toMatchObject([
    { id: "proposal:1", episode_id: "ep:1", note: "agreed" },
  ]);
});

it("counts repetitions once per session", async () => {
  await using t = createTestMemory();
  const said = (session: string, content = CLAIM.content) =>
    t.call("propose", { ...CLAIM, content, session });
  await said("one");
  expect(await said("one", "money is kept as decimal")).toEqual({
    id: "proposal:1",
    outcome: "again",
  });
  await said("two");
  expect((await t.call("list_proposals")).proposals).toMatchObject([{ times: 2 }]);
});

it("does not propose rejected statements again", async () => {
  await using t = createTestMemory();
  await t.call("propose", CLAIM);
  await t.call("reject_proposal", { proposal_id: "proposal:1", note: "only for the demo" });
  expect(await t.call("propose", CLAIM)).toEqual({ id: "proposal:1", outcome: "rejected_before" });
  expect((await t.call("list_proposals")).total).toBe(0);
});

it("expires without confirmation and reopens if repeated", async () => {
  await using t = createTestMemory();
  await t.call("propose", CLAIM);
  t.clock.advance(61 * 24 * 60 * 60 * 1000);
  expect((await t.call("list_proposals")).proposals).toEqual([]);
  expect((await t.call("list_proposals", { status: "faded" })).proposals).toMatchObject([
    { id: "proposal:1", status: "faded" },
  ]);
  await t.call("propose", CLAIM);
  expect((await t.call("list_proposals")).proposals).toMatchObject([{ times: 2 }]);
});

it("emits events, and each step can be undone", async () => {
  await using t = createTestMemory();
  const state = async () => ({
    proposals: (await t.call("list_proposals", { status: "all" })).proposals,
    episodes: (await t.call("list_episodes")).episodes,
  });
  const before = await state();
  await t.call("propose", CLAIM);
  const proposed = await state();
  await t.call("accept_proposal", { proposal_id: "proposal:1" });
  await t.call("undo", { change: "change:2" });
  expect(await state()).toEqual(proposed);
  await t.call("reject_proposal", { proposal_id: "proposal:1" });
  await t.call("undo", { change: "change:4" });
  expect(await state()).toEqual(proposed);
  await t.call("undo", { change: "change:1", together: true });
  expect(await state()).toEqual(before);
  const { events } = await t.call("events", {});
  expect(events.map(({ kind }) => kind)).toEqual([
    ...["proposed", "remembered", "accepted"],
    ...["deleted", "proposed"],
    ...["rejected", "proposed", "deleted"],
  ]);
});

it("offers its ops in a changeset, and its list in a snapshot", async () => {
  await using t = createTestMemory();
  await t.apply('propose as=p t=decision "We deploy on Fridays"', "accept id=$p");
  await t.apply('propose t=decision "We deploy on Mondays"');
  const section = (await t.call("snapshot", { scopes: "proposals" })).proposals;
  expect(section).toMatchObject({ count: 1, proposals: [{ content: "We deploy on Mondays" }] });
});

it("purges a proposal directly, or with its quotations or its episode", async () => {
  await using t = createTestMemory();
  await t.call("read_source", {
    kind: "claude-code",
    key: "s",
    passages: [{ key: "a", by: "user", text: "Zebra money.", occurred_at: "2026-03-01" }],
  });
  const propose = (content: string, evidence: string[] = []) =>
    t.call("propose", { content, episode_type: "decision", evidence });
  await propose("Zebra one.");
  await propose("Zebra two.", ["passage:1"]);
  await propose("Zebra three.");
  await t.call("accept_proposal", { proposal_id: "proposal:3" });
  await t.call("purge", { ids: "proposal:1" });
  await t.call("purge", { ids: "source:1" });
  await t.call("purge", { ids: "ep:1" });
  expect((await t.call("list_proposals", { status: "all" })).proposals).toEqual([]);
  expect((await exported(t.memory)).match(/.*Zebra.*/g)).toBeNull();
});

it("is exported without doctor findings", async () => {
  await using from = createTestMemory();
  await using to = createTestMemory();
  await from.call("propose", CLAIM);
  await from.call("propose", { ...CLAIM, content: "Tests run on Windows." });
  await from.call("accept_proposal", { proposal_id: "proposal:1" });
  const text = await exported(from.memory);
  await importDatabase(to.memory, linesOf(text));
  const all = { status: "all" } as const;
  expect(await to.call("list_proposals", all)).toEqual(await from.call("list_proposals", all));
  expect((await diagnose(to.memory)).findings).toEqual([]);
});
