// @module-tag long: random histories.
import fc from "fast-check";
import { expect, it } from "vitest";
import { diagnose } from "../../../src/memory/index.ts";
import { anyOp, anyStep, applyStep, BEGINNING } from "../../support/random-history.ts";
import { scaleRuns } from "../../support/scale-runs.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

async function requireSound(t: TestMemory): Promise<void> {
  expect((await diagnose(t.memory)).findings).toEqual([]);
  const { events } = await t.call("events", { limit: 1000 });
  expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
    Array.from(events, (_, index) => index + 1),
  );
}

async function newestChange(t: TestMemory): Promise<string | undefined> {
  return (await t.call("changes", { limit: 1 })).changes[0]?.id;
}

it("leaves a consistent database and a gapless feed after any operations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOp, { minLength: 20, maxLength: 60 }), async (ops) => {
      await using t = createTestMemory();
      await t.apply('remember "the first"');
      for (const changeset of ops) await applyStep(t, { operation: "apply", input: { changeset } });
      await requireSound(t);
    }),
    { numRuns: scaleRuns(5) },
  );
}, 180_000);

it("stays sound when changes are undone and redone out of order, and a refusal changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
      await using t = createTestMemory();
      for (const changeset of BEGINNING) {
        await applyStep(t, { operation: "apply", input: { changeset } });
      }
      for (const step of steps) {
        const before = await newestChange(t);
        if (!(await applyStep(t, step))) expect(await newestChange(t)).toBe(before);
      }
      await requireSound(t);
    }),
    { numRuns: scaleRuns(10) },
  );
}, 360_000);
