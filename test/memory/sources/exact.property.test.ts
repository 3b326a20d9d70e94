// @module-tag long: random histories.
import fc from "fast-check";
import { expect, it } from "vitest";
import { copyMemory, exportDatabase } from "../../../src/memory/index.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const KEYS = ["1", "2", "3", "4", "5"];
const word = fc.constantFrom("retry", "größer", "日本", "\u0000", "\u2028", "“quoted”", "💡", "'");

const passage = fc.record({
  key: fc.constantFrom(...KEYS),
  role: fc.constantFrom("turn", "tool", "commit", "section"),
  by: fc.constantFrom("user", "Ada"),
  text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `said ${words.join(" ")}`),
  files: fc.subarray(["src/pay.ts", "größer/日本.py"]),
  reverts: fc.option(fc.constantFrom(...KEYS), { nil: undefined }),
  occurred_at: fc.constantFrom(
    "2026-03-01T09:00:00Z",
    "2026-03-01T15:00:00Z",
    "2020-01-01T00:00:00Z",
  ),
});

const reading = fc.record({
  kind: fc.constantFrom("git", "codex"),
  key: fc.constantFrom("shop", "other"),
  mark: fc.option(fc.constantFrom("here", "there"), { nil: undefined }),
  passages: fc.array(passage, { maxLength: 4 }),
  gone: fc.option(fc.subarray(KEYS), { nil: undefined }),
});

async function shownBy({ call }: TestMemory): Promise<unknown> {
  const { sources } = await call("list_sources");
  const whole = sources.map(({ id }) => call("get_source", { source_id: id, limit: 100 }));
  const found = await call("recall", { query: "said retry 日本", passage_k: 10 });
  return [await Promise.all(whole), found.passages, (await call("stats")).episodes];
}

async function exported({ memory }: TestMemory): Promise<string> {
  let text = "";
  await exportDatabase(memory, (chunk) => {
    text += chunk;
    return Promise.resolve();
  });
  return text;
}

it("exports, imports, undoes and redoes any sources exactly", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 5 }), async (readings) => {
      await using t = createTestMemory();
      await using other = createTestMemory();
      const changes: { readonly change: string; readonly before: unknown }[] = [];
      for (const input of readings) {
        const before = await shownBy(t);
        await t.memory.execute("read_source", input, {
          onChange: (change) => changes.push({ change, before }),
        });
      }
      const after = await shownBy(t);
      const { change, before } = changes.at(-1) ?? {};
      if (change !== undefined) {
        await t.call("undo", { change });
        expect(await shownBy(t)).toEqual(before);
        await t.call("redo", {});
        expect(await shownBy(t)).toEqual(after);
      }
      if (changes.length === 0) return;
      await copyMemory(t.memory, other.memory);
      expect(await exported(other)).toBe(await exported(t));
      expect(await shownBy(other)).toEqual(after);
    }),
    { numRuns: 6 },
  );
}, 180_000);
