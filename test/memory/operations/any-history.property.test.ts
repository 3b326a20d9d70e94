import fc from "fast-check";
import { expect, it } from "vitest";
import { isCairnError } from "../../../src/kernel/errors.ts";
import { diagnose } from "../../../src/memory/index.ts";
import { testMemory } from "../../support/test-memory.ts";

const number = fc.integer({ min: 1, max: 8 });
const episode = number.map((n) => `ep:${n}`);
const fact = number.map((n) => `fact:${n}`);
/** The ids of the concepts that a test memory makes; clusters and others share the numbers. */
const concept = number.map((n) => `c${n}`);
const item = fc.oneof(episode, concept);
const entities = fc
  .subarray(["tool:a", "tool:b", "tool:c", "file:d"])
  .map((chosen) => chosen.join(","));
const word = fc.constantFrom("red", "blue", "green");

const line = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));

const op = fc.oneof(
  { arbitrary: line("remember t=fact e=", entities, ' "', word, '"'), weight: 4 },
  { arbitrary: line("remember e=", entities, ' "', word, '"'), weight: 2 },
  { arbitrary: line("concept title=", word, " from=", episode, ",", episode), weight: 2 },
  { arbitrary: line("delete ", item), weight: 2 },
  { arbitrary: line("restore ", item), weight: 2 },
  line("supersede old=", fact, " new=", fact),
  line("conflict fact_a=", fact, " fact_b=", fact),
  line("resolve id=conflict:", number.map(String), " winner=", fact),
  line("dismiss id=conflict:", number.map(String)),
  line("update id=", episode, " entities=", entities),
  line("update id=", episode, " content=", word),
  line("update id=", concept, " summary=", word),
  line("merge from=", concept, ",", concept, " into=", concept),
  line("merge from=", concept, ",", concept, " into=", word),
  line("split id=", concept, " into=left,right"),
  line("link from=", concept, " to=", concept, " type=", word),
  line("evidence concept=", concept, " episode=", episode, " type=supports"),
  line("unlink concept=", concept, " episode=", episode),
  line("label id=", item, " key=", word, " value=", word),
  line("processed ids=", episode),
);

it("leaves a sound database and a feed without gaps, whatever was asked for in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 60 }), async (ops) => {
      await using t = testMemory();
      await t.apply('remember "the first"');
      for (const changeset of ops) {
        await t.call("apply", { changeset }).catch((error: unknown) => {
          if (!isCairnError(error) || error.code !== "changeset_failed") throw error;
        });
      }
      expect((await diagnose(t.memory)).findings).toEqual([]);
      const { events } = await t.call("events", { limit: 1000 });
      expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
        Array.from(events, (_, index) => index + 1),
      );
    }),
    { numRuns: 8 },
  );
});
