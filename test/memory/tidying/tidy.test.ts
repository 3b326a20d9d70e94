import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/memory/index.ts";
import { Wordings } from "../../../src/memory/learned/wording.ts";
import { tidy } from "../../../src/memory/operations/write/tidy.ts";
import { Words } from "../../../src/memory/tidying/words.ts";
import { testMemory } from "../../support/test-memory.ts";

const words = (text: string) => new Words(text, new Wordings());

describe("two statements are one", () => {
  it.each([
    ["Use pnpm, not npm.", "We use pnpm instead of npm"],
    ["Always run the linter before each commit", "Run the linter before each commit, please."],
    ["Benutze pnpm statt npm.", "Bitte immer pnpm benutzen, nicht npm"],
  ])("“%s” and “%s”", (one, other) => {
    expect(words(one).equals(words(other))).toBe(true);
  });

  it.each([
    ["Use pnpm, not npm.", "Use npm, not pnpm."],
    ["Never commit to main.", "Commit to main."],
    ["The gateway waits 10 seconds.", "The gateway waits 30 seconds."],
    ["The gateway calls the queue.", "The queue calls the gateway."],
    ["Deploys need a review.", "Deploys may need a review."],
    ["Run the linter before each commit.", "Run the linter after each commit."],
    ["Use it.", "Do that."],
  ])("“%s” and “%s” are not", (one, other) => {
    expect(words(one).equals(words(other))).toBe(false);
  });
});

it("says at the shell what it did, and the command for what it only names", () => {
  const named = (id: string, text: string) => ({ id, text });
  const told = tidy.confirm?.(
    { dry_run: false },
    {
      merged: [{ kept: named("ep:2", "Use tabs"), merged: [named("ep:1", "Use tabs.")] }],
      grown: [{ id: "c1", title: "What was decided about queue", added: 4 }],
      offered: [
        { kind: "episode", items: [named("ep:4", "A growing delay"), named("ep:3", "A delay")] },
        { kind: "concept", items: [named("c2", "Deploys"), named("c3", "A deploy")] },
        { kind: "entity", items: [named("tool:a b", "a b"), named("tool:a-b", "a-b")] },
      ],
    },
  );
  expect(told?.split("\n")).toEqual([
    "= ep:2 Use tabs (says what ep:1 said)",
    "+ c1 What was decided about queue (4 new in it)",
    "? ep:4 A growing delay ~ ep:3 A delay (`cairn supersede ep:3 ep:4`)",
    "? c2 Deploys ~ c3 A deploy (`cairn merge c2 --from c3`)",
    '? tool:a b ~ tool:a-b (`cairn entity-relation "tool:a b" tool:a-b same_as`)',
  ]);
  const nothing = { merged: [], grown: [], offered: [] };
  expect(tidy.confirm?.({ dry_run: false }, nothing)).toBe("Nothing says the same twice.");
});

const preference = (content: string, entities?: string) => ({
  content,
  episode_type: "preference",
  ...(entities !== undefined && { entities }),
});

it("lets what was said last hold, as one change that undo takes back for good", async () => {
  await using t = testMemory();
  for (const content of ["Use pnpm, not npm.", "We use pnpm instead of npm", "Use tabs"]) {
    await t.call("remember", preference(content));
    t.clock.advance(60_000);
  }
  const before = await t.call("list_episodes");
  const dry = await t.call("tidy", { dry_run: true });
  expect(await t.call("list_episodes")).toEqual(before);
  const done = await t.call("tidy");
  expect(done).toEqual(dry);
  expect(done.merged).toEqual([
    {
      kept: { id: "ep:2", text: "We use pnpm instead of npm" },
      merged: [{ id: "ep:1", text: "Use pnpm, not npm." }],
    },
  ]);
  expect(await t.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    replaced_by: "ep:2",
  });
  const { changes } = await t.call("changes", { limit: 1 });
  expect(changes).toMatchObject([{ operation: "tidy" }]);
  expect(await t.call("tidy")).toEqual({ merged: [], grown: [], offered: [] });
  await t.call("undo", { change: changes[0]?.id ?? "" });
  expect(await t.call("list_episodes")).toEqual(before);
  expect((await t.call("tidy")).merged).toEqual([]);
  expect((await diagnose(t.memory)).findings).toEqual([]);
});

it("names what is near, and leaves what is disputed, replaced or of other things alone", async () => {
  await using t = testMemory();
  const texts = [
    "Payments are retried three times with a delay",
    "Payments are retried three times with a growing delay",
  ];
  for (const content of texts) await t.call("remember", preference(content));
  await t.call("remember", preference("Use pnpm, not npm.", "project:shop"));
  await t.call("remember", preference("We use pnpm instead of npm", "project:blog"));
  await t.call("remember", preference("Use spaces, not tabs.", "tool:Post-Gres"));
  await t.call("remember", preference("Spaces rather than tabs", "tool:postgres"));
  await t.call("supersede", { old: "ep:5", new: "ep:3" });
  const { merged, offered } = await t.call("tidy");
  expect(merged).toEqual([]);
  expect(offered.map(({ kind, items }) => [kind, ...items.map(({ id }) => id)])).toEqual([
    ["episode", "ep:4", "ep:3"],
    ["episode", "ep:2", "ep:1"],
    ["entity", "tool:Post-Gres", "tool:postgres"],
  ]);
  await t.call("entity_relation", {
    source: "tool:postgres",
    target: "tool:Post-Gres",
    relation: "same_as",
  });
  expect((await t.call("tidy")).offered.map(({ kind }) => kind)).not.toContain("entity");
});

it("makes one concept of two that are equal, and names those of one title", async () => {
  await using t = testMemory();
  await t.call("remember", { content: "The deploy failed." });
  const concept = (title: string, summary: string) =>
    t.call("create_concept", { title, summary, from: "ep:1" });
  const one = await concept("Deploys need a green build", "Else they are rolled back.");
  const same = await concept("A deploy needs a green build", "Else they are rolled back");
  await concept("Deploy needs a green build!", "Says the release guide.");
  const offer = await t.call("tidy");
  // Three of one title, of which one says something else: nothing is merged unasked.
  expect(offer).toMatchObject({ merged: [], offered: [{ kind: "concept" }] });
  expect(offer.offered[0]?.items.map(({ id }) => id)).toContain(one.id);
  await t.call("delete", { id: offer.offered[0]?.items.at(-1)?.id ?? "" });
  const { merged } = await t.call("tidy");
  expect(merged).toMatchObject([{ kept: { id: one.id }, merged: [{ id: same.id }] }]);
});

it("gathers what was decided about one thing, and follows it", async () => {
  await using t = testMemory();
  const decide = (content: string) =>
    t.call("remember", { content, episode_type: "decision", entities: "tool:queue" });
  for (const what of ["retries", "timeouts", "names", "ports"]) await decide(`Settle ${what} so.`);
  const { grown } = await t.call("tidy");
  expect(grown).toMatchObject([{ title: "What was decided about queue", added: 4 }]);
  const id = grown[0]?.id ?? "";
  const detail = await t.call("get_concept", { concept_id: id });
  expect(detail.summary.split("\n")[0]).toBe("- Settle ports so.");
  await decide("Settle logs so.");
  expect((await t.call("tidy")).grown).toEqual([
    { id, title: "What was decided about queue", added: 1 },
  ]);
  expect(await t.call("get_concept", { concept_id: id })).toMatchObject({ instance_count: 5 });
  await t.call("delete", { id });
  expect((await t.call("tidy")).grown).toEqual([]);
  expect((await diagnose(t.memory)).findings).toEqual([]);
});
