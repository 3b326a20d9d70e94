// @module-tag long: random histories.
import fc from "fast-check";
import { expect, it } from "vitest";
import { diagnose, type MemoryStore } from "../../../src/memory/index.ts";
import { isCairnError } from "../../../src/shared/errors.ts";
import { memoryStore, temporaryFolder } from "../../support/memory-server.ts";
import { patiently } from "../../support/patiently.ts";
import { runs } from "../../support/runs.ts";

const ITEMS = [1, 2, 3];
const anyItem = fc.constantFrom(...ITEMS);
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("promote" as const), item: anyItem }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("undo" as const), back: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("redo" as const), back: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("range" as const), back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("edit" as const), item: anyItem }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Undefined where it is refused, which changes nothing. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isCairnError(error) || !["conflict", "not_found"].includes(error.code)) throw error;
  }
}

/** The last changes, newest first, of which an undo and a redo choose. */
async function changesOf(store: MemoryStore) {
  return (await store.open().execute("changes", { limit: 50 })).changes;
}

async function textsIn(store: MemoryStore, db: string): Promise<string[]> {
  const { episodes } = await store.open(db).execute("list_episodes", {});
  return episodes.map(({ content }) => content);
}

async function play(store: MemoryStore, step: Step, edited: Set<string>): Promise<void> {
  const [mine, team] = [store.open(), store.open("team")];
  switch (step.do) {
    case "promote":
      return unlessRefused(() => mine.execute("promote", { id: `ep:${step.item}`, to: "team" }));
    case "edit": {
      const { episodes } = await team.execute("list_episodes", {});
      const copy = episodes.find(({ content }) => content === `Note ${step.item}`);
      if (copy === undefined) return;
      const content = `Note ${step.item}, as the team has it (${copy.id})`;
      await team.execute("update_episode", { episode_id: copy.id, content });
      edited.add(content);
      return;
    }
    case "range": {
      // Never what wrote the notes themselves.
      const since = (await changesOf(store)).filter(
        ({ id }) => Number(id.slice(7)) >= ITEMS.length,
      );
      const from = since[Math.min(step.back, since.length - 1)]?.id ?? "change:3";
      return unlessRefused(() => mine.execute("undo", { since: from }));
    }
    default: {
      const found = (await changesOf(store)).filter(({ operation, undone_by: by, undo_of: of }) =>
        step.do === "undo" ? operation !== "remember" : by === null && of.length > 0,
      );
      const change = found[Math.min(step.back, found.length - 1)]?.id;
      if (change !== undefined) return unlessRefused(() => mine.execute(step.do, { change }));
    }
  }
}

it("a copy is there as long as the promotion is in force, and what was changed there stays", {
  timeout: patiently(120_000),
}, async () => {
  let taken = 0;
  const history = async (steps: readonly Step[]) => {
    const store = memoryStore(temporaryFolder(), [], { layers: ["team"] });
    const edited = new Set<string>();
    try {
      for (const item of ITEMS) await store.open().execute("remember", { content: `Note ${item}` });
      await store.open("team").execute("remember", { content: "The team's own" });
      for (const step of steps) {
        await play(store, step, edited);
        const there = await textsIn(store, "team");
        for (const text of ["The team's own", ...edited]) expect(there).toContain(text);
        for (const item of ITEMS) {
          const { labels } = await store
            .open()
            .execute("get_episode", { episode_id: `ep:${item}` });
          const isPromoted = labels.some(({ key }) => key === "promoted");
          const hasChanged = there.some((text) => text.startsWith(`Note ${item}, as`));
          if (hasChanged) continue;
          expect(there.includes(`Note ${item}`), `${item} after ${JSON.stringify(step)}`).toBe(
            isPromoted,
          );
        }
      }
      const { changes } = await store.open("team").execute("changes", { limit: 50 });
      taken += changes.filter(({ operation }) => operation === "undo").length;
      for (const db of ["default", "team"]) {
        expect((await diagnose(store.open(db))).findings).toEqual([]);
      }
    } finally {
      await store.close();
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 16 }), history), {
    numRuns: runs(15),
  });
  expect(taken).toBeGreaterThan(0);
});
