import { expect, it } from "vitest";
import {
  createSessionContext,
  diagnose,
  exportDatabase,
  type MemoryEngine,
} from "../../../src/memory/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const NPM = { content: "Use npm to install packages.", episode_type: "preference" } as const;
const PNPM = {
  content: "No, use pnpm, not npm.",
  episode_type: "preference",
  asserted_by: "user",
  quotation: "No, use pnpm, not npm.",
  corrects: true,
  rejects: "npm",
  session: "claude-code:two",
} as const;

async function recalled(memory: MemoryEngine, query: string): Promise<string[]> {
  const { episodes } = await memory.execute("recall", { query, k: 0, episode_k: 9 });
  return episodes.map(({ id }) => id);
}

/** Exports all rows except the change feed and idempotency keys. */
async function state(memory: MemoryEngine): Promise<string[]> {
  let text = "";
  await exportDatabase(memory, async (chunk) => {
    text += chunk;
  });
  const notes = /"table":"(?:changes|row_changes|events|event_items|idempotency_keys)"|"end"/;
  return text.split("\n").filter((line) => line !== "" && !notes.test(line));
}

it("replaces a corrected statement in one undoable change", async () => {
  await using t = createTestMemory();
  await t.call("remember", NPM);
  const before = await state(t.memory);
  t.clock.advance(60_000);
  const learned = await t.call("keep_learned", { claims: [PNPM] });
  expect(learned).toMatchObject({
    kept: [{ id: "ep:2", replaced: [{ id: "ep:1", content: NPM.content }], disputed: [] }],
    proposed: [],
    known: [],
  });
  expect(await recalled(t.memory, "npm pnpm packages")).toEqual(["ep:2"]);
  expect(await t.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    replaced_by: "ep:2",
    valid_to: expect.any(String),
  });
  const { changes } = await t.call("changes", { limit: 1 });
  expect(changes[0]?.events.map(({ kind }) => kind)).toEqual([
    "remembered",
    "superseded",
    "learned",
  ]);
  expect(changes[0]?.events[1]?.payload).toMatchObject({ note: PNPM.quotation });
  expect((await diagnose(t.memory)).findings).toEqual([]);
  await t.call("undo", { change: "change:2" });
  expect(await state(t.memory)).toEqual(before);
  expect(await recalled(t.memory, "npm pnpm packages")).toEqual(["ep:1"]);
});

it("omits replaced statements except in past views", async () => {
  await using t = createTestMemory();
  await t.call("remember", NPM);
  const then = t.clock.now().toISOString();
  t.clock.advance(60_000);
  await t.call("keep_learned", { claims: [PNPM] });
  const context = await createSessionContext({ project: t.memory, own: undefined });
  expect(context?.text).toContain("Use pnpm to install packages.");
  expect(context?.text).not.toContain(NPM.content);
  const earlier = await t.call("recall", { query: "npm packages", k: 0, as_of: then });
  expect(earlier.episodes.map(({ id }) => id)).toEqual(["ep:1"]);
});

it("replaces a number in a shown statement", async () => {
  await using t = createTestMemory();
  const timeout = "The payment gateway times out after 10 seconds.";
  await t.call("remember", { content: timeout, episode_type: "fact" });
  t.clock.advance(60_000);
  const said = "That's wrong, 30 seconds, not 10.";
  const claim = { content: said, quotation: said, episode_type: "fact", corrects: true };
  const { kept } = await t.call("keep_learned", { claims: [claim], shown: ["ep:1"] });
  expect(kept).toMatchObject([
    { content: "The payment gateway times out after 30 seconds.", replaced: [{ id: "ep:1" }] },
  ]);
  const again = await t.call("keep_learned", { claims: [claim], shown: ["ep:1", "ep:2"] });
  expect(again.kept).toMatchObject([]);
});

it("opens a conflict if uncertain", async () => {
  await using t = createTestMemory();
  await t.call("remember", { content: "The API runs on Fastify.", episode_type: "fact" });
  t.clock.advance(60_000);
  const content = "We changed our mind: the API is now GraphQL.";
  const claim = { content, episode_type: "decision", corrects: true };
  const { kept } = await t.call("keep_learned", { claims: [claim] });
  expect(kept).toMatchObject([
    { replaced: [], disputed: [{ id: "ep:1", conflict_id: "conflict:1" }] },
  ]);
  const context = await createSessionContext({ project: t.memory, own: undefined });
  expect(context?.text.match(/disputed in conflict:1/g)?.length).toBe(2);
  const [conflict] = (await t.call("list_conflicts")).conflicts;
  const winner = conflict?.fact_b.id ?? "";
  await t.call("resolve_conflict", { conflict_id: "conflict:1", winning_fact_id: winner });
  expect(await recalled(t.memory, "API Fastify GraphQL")).toEqual(["ep:2"]);
});

it("stores one preference in seven wordings once", async () => {
  await using t = createTestMemory();
  const wordings = [
    "Use pnpm instead of npm.",
    "Always use pnpm, never npm.",
    "Please use pnpm, not npm.",
    "Don't use npm, use pnpm.",
    "We use pnpm rather than npm here.",
    "Install packages with pnpm, not npm.",
    "From now on pnpm instead of npm.",
  ];
  for (const [index, content] of wordings.entries()) {
    t.clock.advance(60_000);
    const claim = { content, episode_type: "preference", session: `s${index}` };
    await t.call("keep_learned", { claims: [claim] });
  }
  const { episodes } = await t.call("list_episodes", { type: "preference" });
  expect(episodes.map(({ content }) => content)).toEqual([wordings[0]]);
});

it("proposes unaccepted claims and stores them once the user repeats them", async () => {
  await using t = createTestMemory();
  const claim = { ...PNPM, asserted_by: "claude-code", session: "one", reason: "nobody agreed" };
  const first = await t.call("keep_learned", { claims: [{ ...claim, verdict: "propose" }] });
  expect(first).toMatchObject({ kept: [], proposed: [{ id: "proposal:1" }] });
  const second = await t.call("keep_learned", { claims: [{ ...PNPM, session: "two" }] });
  expect(second).toMatchObject({ kept: [{ id: "ep:1" }], proposed: [] });
  expect((await t.call("list_proposals", { status: "accepted" })).proposals).toMatchObject([
    { id: "proposal:1", episode_id: "ep:1" },
  ]);
});

it("replaces statements with accepted proposals", async () => {
  await using t = createTestMemory();
  await t.call("remember", NPM);
  t.clock.advance(60_000);
  await t.call("keep_learned", { claims: [{ ...PNPM, verdict: "propose" }] });
  expect(await recalled(t.memory, "npm packages")).toEqual(["ep:1"]);
  const accepted = await t.call("accept_proposal", { proposal_id: "proposal:1" });
  expect(accepted).toMatchObject({ episode_id: "ep:2", replaced: ["ep:1"] });
});

it("names the quoted passage", async () => {
  await using t = createTestMemory();
  const text = `Hm. ${PNPM.quotation} And go on.`;
  const source = { kind: "claude-code", key: "two" };
  const passages = [{ key: "a", by: "user", text, occurred_at: "2026-01-01" }];
  await t.call("read_source", { ...source, passages });
  const { kept } = await t.call("keep_learned", { claims: [PNPM], source });
  expect(await t.call("get_episode", { episode_id: kept[0]?.id ?? "" })).toMatchObject({
    source_ref: "passage:1",
    metadata: { learned: { quotation: PNPM.quotation, evidence: ["passage:1"] } },
  });
});

it("is not replaced by an earlier statement", async () => {
  await using t = createTestMemory();
  t.clock.advance(60_000);
  await t.call("keep_learned", { claims: [PNPM] });
  const late = { ...NPM, content: "Go back to npm instead of pnpm.", corrects: true };
  const { kept } = await t.call("keep_learned", {
    claims: [{ ...late, occurred_at: "2020-01-01", session: "old" }],
  });
  expect(kept).toMatchObject([{ replaced: [] }]);
});

it("allows decisions and preferences in supersede and conflict", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember as=a t=decision "Money is kept as integer cents."',
    'remember as=b t=decision "Money is kept as Decimal."',
    "conflict fact_a=$a fact_b=$b",
    "supersede old=$a new=$b",
  );
  expect((await t.call("list_conflicts", { status: "resolved" })).total).toBe(1);
  expect(await recalled(t.memory, "money")).toEqual(["ep:2"]);
  const { timeline } = await t.call("get_fact", { fact_id: "fact:1" });
  expect(timeline.map(({ statement }) => statement)).toEqual([
    "Money is kept as integer cents.",
    "Money is kept as Decimal.",
  ]);
});

it("stores an outdated statement as valid until its successor", async () => {
  await using t = createTestMemory();
  await t.call("keep_learned", {
    claims: [{ ...PNPM, content: "Use pnpm, not npm, for packages." }],
  });
  const old = { ...NPM, occurred_at: "2020-01-01T00:00:00Z", session: "claude-code:one" };
  const { kept } = await t.call("keep_learned", { claims: [old] });
  expect(kept).toMatchObject([{ id: "ep:2", replaced: [], replaced_by: { id: "ep:1" } }]);
  expect(await recalled(t.memory, "npm pnpm packages")).toEqual(["ep:1"]);
  expect(await t.call("get_episode", { episode_id: "ep:2" })).toMatchObject({
    replaced_by: "ep:1",
  });
  expect((await diagnose(t.memory)).findings).toEqual([]);
});

it("does not restore deleted statements when a session is reread", async () => {
  await using t = createTestMemory();
  const said = { ...PNPM, occurred_at: t.clock.now().toISOString() };
  await t.call("keep_learned", { claims: [said] });
  t.clock.advance(60_000);
  await t.call("delete", { id: "ep:1" });
  expect(await t.call("keep_learned", { claims: [said] })).toMatchObject({
    ...{ kept: [], known: [{ index: 0, id: "ep:1" }] },
  });
  t.clock.advance(60_000);
  const again = { ...said, occurred_at: t.clock.now().toISOString() };
  expect((await t.call("keep_learned", { claims: [again] })).kept).toMatchObject([{ id: "ep:2" }]);
});

it("records learning progress, which undo preserves and a dry run does not change", async () => {
  await using t = createTestMemory();
  const passage = (key: string) => ({
    ...{ key, by: "user", text: `What ${key} says`, occurred_at: "2026-01-01T00:00:00Z" },
  });
  await t.call("read_source", {
    kind: "cairn",
    key: "one",
    passages: [passage("a"), passage("b")],
  });
  const through = [{ source_id: "source:1", passage_id: "passage:1" }];
  const learned = async () => {
    const { sources } = await t.call("list_sources");
    return [sources[0]?.learned_through, sources[0]?.unlearned];
  };
  expect(await learned()).toEqual([null, 2]);
  const response = { claims: [PNPM], through };
  expect((await t.call("keep_learned", { ...response, dry_run: true })).kept).toHaveLength(1);
  expect(await learned()).toEqual([null, 2]);
  expect(await recalled(t.memory, "pnpm")).toEqual([]);
  await t.call("keep_learned", response);
  expect(await learned()).toEqual(["passage:1", 1]);
  await t.call("undo", { change: "change:2" });
  expect(await learned()).toEqual(["passage:1", 1]);
  const nowhere = { claims: [], through: [{ source_id: "source:9", passage_id: "passage:1" }] };
  expect(await t.failure("keep_learned", nowhere)).toMatchObject({
    code: "not_found",
    message: expect.stringContaining("through.source_id"),
  });
});
