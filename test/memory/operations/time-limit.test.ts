import { describe, expect, it } from "vitest";
import { createOperations, exportDatabase } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { isCairnError } from "../../../src/shared/errors.ts";
import { TestClock } from "../../../src/testing/test-clock.ts";
import { type Entry, type Step, scenario } from "../../contract/scenario.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const GONE = new Error("nobody waits");
/** Maximum number of steps between two deadline checks. */
const STEPS_TO_THE_END = 4;

/** Advances by 1 ms per read while running, so that a time limit counts steps. */
class CountingClock extends TestClock {
  isRunning = false;

  override now(): Date {
    if (this.isRunning) this.advance(1);
    return super.now();
  }
}

interface Call {
  readonly operation: string;
  readonly input: unknown;
  readonly isRefused: boolean;
}

/**
 * Runs the contract scenario, which covers every operation. Calls `before` with each upcoming
 * call.
 */
async function play(test: TestMemory, before: (call: Call) => Promise<void>): Promise<Set<string>> {
  const earlier: Record<string, Entry> = {};
  const requested = new Set<string>();
  for (const { operation, input: args, as, error } of scenario) {
    const input = typeof args === "function" ? args(earlier) : args;
    requested.add(operation);
    await before({ operation, input, isRefused: error !== undefined });
    const output = await outputOf(test, { operation, input });
    if (as !== undefined) earlier[as] = output as Entry;
  }
  return requested;
}

async function outputOf({ memory }: TestMemory, { operation, input }: Step): Promise<unknown> {
  try {
    return await memory.executeNamed(operation, input, { caller: OWNER });
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}

async function keptIn({ memory }: TestMemory, operation: string): Promise<string> {
  if (memory.operations.get(operation)?.kind === "read" || !(await memory.isThere())) return "";
  const chunks: string[] = [];
  await exportDatabase(memory, async (chunk) => void chunks.push(chunk));
  return chunks.join("");
}

const EVERY = [...createOperations().keys()].sort();

describe("every operation", () => {
  it("that is aborted before a statement stores nothing and starts no other statement", {
    tags: ["long"],
    timeout: 360_000,
  }, async () => {
    let left = Number.POSITIVE_INFINITY;
    let after = 0;
    let stop = new AbortController();
    await using test = createTestMemory({
      onStatement: () => {
        if (stop.signal.aborted) after += 1;
        left -= 1;
        if (left === 0) stop.abort(GONE);
      },
    });
    // The first write creates the database, which is not part of an operation.
    await test.memory.databaseToFill.write(async () => undefined);
    const brokenOff = new Set<string>();
    const requested = await play(test, async ({ operation, input }) => {
      const stored = await keptIn(test, operation);
      for (const statements of [1, 2, 5]) {
        stop = new AbortController();
        left = statements;
        after = 0;
        const ended = await test.memory
          .executeNamed(operation, input, { caller: OWNER, signal: stop.signal })
          .catch((error: unknown) => error);
        // The operation completed, so the scenario's own call may be rejected.
        if (left > 0) break;
        left = Number.POSITIVE_INFINITY;
        expect([ended, after], `${operation} at statement ${statements}`).toEqual([GONE, 0]);
        brokenOff.add(operation);
        stop = new AbortController();
        expect(await keptIn(test, operation), operation).toBe(stored);
      }
      left = Number.POSITIVE_INFINITY;
      stop = new AbortController();
    });
    expect([...requested].sort()).toEqual(EVERY);
    // `episode_types` reads a setting; `promote` fails without an outer layer before it reads.
    const withoutStatements = ["episode_types", "promote"];
    expect(EVERY.filter((name) => !brokenOff.has(name))).toEqual(withoutStatements);
  });

  it("ends within a few steps after the deadline, reports it, and stores nothing", async () => {
    const clock = new CountingClock();
    let statements = 0;
    await using test = createTestMemory({
      clock,
      onStatement: () => {
        statements += 1;
      },
    });
    const requested = await play(test, async ({ operation, input, isRefused }) => {
      // Rejected input may fail before the first deadline check.
      if (isRefused) return;
      for (const timeoutMs of [1, 3]) {
        const stored = await keptIn(test, operation);
        clock.isRunning = true;
        statements = 0;
        const ended = await test.memory
          .executeNamed(operation, input, { caller: OWNER, timeoutMs })
          .catch((error: unknown) => error);
        clock.isRunning = false;
        expect(statements, operation).toBeLessThanOrEqual(timeoutMs + STEPS_TO_THE_END);
        const output = `${operation} within ${timeoutMs}`;
        expect(ended, output).toMatchObject({ code: "busy", message: /Timed out after/ });
        expect(await keptIn(test, operation), output).toBe(stored);
      }
    });
    expect([...requested].sort()).toEqual(EVERY);
  }, 360_000);
});

it("a write that times out waiting for the lock is never stored", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "one" });
  const database = await test.memory.database();
  let letGo: () => void = () => undefined;
  const pending = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holding = database.write(() => pending);
  const content = "two";
  await expect(
    test.memory.execute("remember", { content }, { timeoutMs: 20 }),
  ).rejects.toMatchObject({ code: "busy" });
  letGo();
  await holding;
  expect((await test.call("stats")).episodes.total).toBe(1);
});
