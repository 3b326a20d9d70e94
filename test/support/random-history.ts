import fc from "fast-check";
import type { OperationName } from "../../src/memory/index.ts";
import { OWNER } from "../../src/shared/caller.ts";
import { isCairnError } from "../../src/shared/errors.ts";
import type { TestMemory } from "./test-memory.ts";

const number = fc.integer({ min: 1, max: 8 });
const episode = number.map((n) => `ep:${n}`);
const fact = number.map((n) => `fact:${n}`);
/** Ids of concepts; other record types share the numbers. */
const concept = number.map((n) => `c${n}`);
const item = fc.oneof(episode, concept);
const entities = fc
  .subarray(["tool:a", "tool:b", "tool:c", "file:d"])
  .map((chosen) => chosen.join(","));
const word = fc.constantFrom("red", "blue", "green");
const text = fc
  .array(fc.constantFrom("red", "blue", "green", "river", "tall", "soup", "wind"), {
    minLength: 1,
    maxLength: 7,
  })
  .map((words) => words.join(" "));

const line = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));

export const anyOp = fc.oneof(
  { arbitrary: line("remember t=fact e=", entities, ' "', text, '"'), weight: 4 },
  { arbitrary: line("remember e=", entities, ' "', text, '"'), weight: 2 },
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

export interface Step {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
}

const step = (operation: OperationName, input: Step["input"]): Step => ({ operation, input });
const change = fc.integer({ min: 1, max: 40 }).map((n) => `change:${n}`);
const opStep = anyOp.map((changeset) => step("apply", { changeset }));
/** Weighted separately: supersessions and conflicts interact with undo only if there are many. */
const factStep = fc
  .oneof(
    line("supersede old=", fact, " new=", fact),
    line("conflict fact_a=", fact, " fact_b=", fact),
    line("resolve id=conflict:", number.map(String), " winner=", fact),
  )
  .map((changeset) => step("apply", { changeset }));

/** Undo and redo target any change, not only the latest. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: opStep, weight: 8 },
  { arbitrary: factStep, weight: 3 },
  {
    arbitrary: fc
      .tuple(change, fc.boolean())
      .map(([one, together]) => step("undo", { change: one, together })),
    weight: 3,
  },
  { arbitrary: change.map((one) => step("redo", { change: one })), weight: 3 },
  fc.constant(step("undo", {})),
  { arbitrary: fc.constant(step("redo", {})), weight: 2 },
  episode.map((id) => step("purge", { ids: [id] })),
);

export const BEGINNING: readonly string[] = [
  'remember t=fact e=tool:a "red river"',
  'remember t=fact e=tool:a "blue river"',
  'remember t=fact e=tool:a,tool:b "green and tall"',
  'remember e=file:d "wind and soup"',
];

/** Runs a step. Returns false if it was rejected, and throws on internal errors. */
export async function applyStep(
  { memory }: TestMemory,
  { operation, input }: Step,
): Promise<boolean> {
  try {
    await memory.executeNamed(operation, input, { caller: OWNER });
    return true;
  } catch (error) {
    if (isCairnError(error) && error.code !== "internal") return false;
    throw error;
  }
}
