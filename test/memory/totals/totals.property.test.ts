// @module-tag long: random histories.
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { countedAnew } from "../../../src/database/index.ts";
import {
  diagnose,
  exportDatabase,
  importDatabase,
  type MemoryEngine,
  readLines,
} from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { isCairnError } from "../../../src/shared/errors.ts";
import { patiently } from "../../support/patiently.ts";
import { type TestMemory, testMemory } from "../../support/test-memory.ts";

const number = fc.integer({ min: 1, max: 6 }).map(String);
const episode = number.map((n) => `ep:${n}`);
const fact = number.map((n) => `fact:${n}`);
const concept = number.map((n) => `c${n}`);
const item = fc.oneof(episode, concept);
const word = fc.constantFrom("red", "blue", "green");
const entities = fc
  .subarray(["tool:a", "tool:b", "file:c"], { minLength: 1 })
  .map((chosen) => chosen.join(","));

const line = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));

/** A changeset, or a call of its own that none can hold. */
type Step = { readonly changeset: string } | { readonly operation: string; readonly input: object };

const changeset = fc.oneof(
  {
    arbitrary: line("remember t=fact e=", entities, " labels=k=", word, ' "', word, '"'),
    weight: 4,
  },
  { arbitrary: line("remember t=decision topic=mail labels=k=", word, ',j=1 "x"'), weight: 2 },
  { arbitrary: line("concept title=", word, " from=", episode, ",", episode), weight: 3 },
  { arbitrary: line("delete ", item), weight: 3 },
  { arbitrary: line("restore ", item), weight: 2 },
  { arbitrary: line("link from=", concept, " to=", concept, " type=", word), weight: 3 },
  { arbitrary: line("conflict fact_a=", fact, " fact_b=", fact), weight: 2 },
  line("supersede old=", fact, " new=", fact),
  line("resolve id=conflict:", number, " winner=", fact),
  line("dismiss id=conflict:", number),
  line("update id=", episode, " entities=", entities),
  line("merge from=", concept, ",", concept, " into=", concept),
  line("merge from=", concept, ",", concept, " into=", word),
  line("split id=", concept, " into=left,right"),
  line("label id=", item, " key=k value=", word),
  line("unlabel id=", item, " key=k"),
  line("set_topic id=", item, " topic=mail"),
  line("entity_relation source=tool:a target=", entities, " relation=uses"),
  line("processed ids=", episode),
  line(
    "remember as=a labels=k=",
    word,
    ' "one"\ndelete $a\nrestore $a\nlabel id=$a key=n value=',
    word,
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: changeset.map((text): Step => ({ changeset: text })), weight: 8 },
  fc.constant<Step>({ operation: "undo", input: { together: true } }),
  fc.constant<Step>({ operation: "redo", input: {} }),
  item.map((id): Step => ({ operation: "purge", input: { ids: [id] } })),
);

async function take(test: TestMemory, one: Step): Promise<void> {
  try {
    if ("changeset" in one) await test.call("apply", one);
    else await test.memory.executeNamed(one.operation, one.input, { caller: OWNER });
  } catch (error) {
    if (!isCairnError(error) || error.code === "internal") throw error;
  }
}

async function compared(memory: MemoryEngine) {
  const database = await memory.database();
  return database.read(async (tx) => ({
    kept: await tx.all(sql`select * from totals where total <> 0 order by kind, name, part`),
    counted: await tx.all(sql`select * from (${countedAnew()}) counted order by kind, name, part`),
    empty: await tx.all(sql`select * from totals where total = 0 and kind <> 'labels'`),
  }));
}

it(
  "are what the rows add up to, after whatever was written, undone, purged and imported",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        await using test = testMemory();
        await test.call("create_topic", { name: "mail" });
        for (const one of steps) {
          await take(test, one);
          const { kept, counted, empty } = await compared(test.memory);
          expect(kept, JSON.stringify(one)).toEqual(counted);
          expect(empty, "a text that nothing holds any more is not kept").toEqual([]);
        }
        const chunks: string[] = [];
        await exportDatabase(test.memory, async (chunk) => void chunks.push(chunk));
        await using copy = testMemory({ name: "copy" });
        await importDatabase(copy.memory, readLines(lines(chunks)));
        expect((await compared(copy.memory)).kept).toEqual((await compared(test.memory)).counted);
        expect((await diagnose(copy.memory)).findings).toEqual([]);
        expect(await copy.call("stats")).toEqual(await test.call("stats"));
      }),
      { numRuns: 12 },
    );
  },
  patiently(60_000),
);

async function* lines(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
