import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPromptContext } from "../../../src/memory/briefing/prompt-context.ts";
import type { ExecuteOptions } from "../../../src/memory/context/execute-options.ts";
import { TestClock } from "../../../src/testing/test-clock.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

/** Advances by 1 ms per statement and per read. */
class BusyClock extends TestClock {
  asked = 0;

  override now(): Date {
    this.asked += 1;
    this.advance(1);
    return super.now();
  }
}

class RunningClock extends TestClock {
  override now(): Date {
    this.advance(30 * 86_400_000);
    return super.now();
  }
}

const EPISODES = 3_000;

async function fullMemory() {
  const clock = new BusyClock();
  const statements: string[] = [];
  const onStatement = (statement: string) => {
    statements.push(statement);
    clock.advance(1);
  };
  const test = createTestMemory({ embedder: createWordEmbedder(), clock, onStatement });
  const ops = Array.from({ length: EPISODES }, (_, n) => ({
    op: "remember",
    content: `The cache of shard ${n} keeps ${n % 7} copies`,
    entities: n % 10 === 0 ? [`module:shard${n % 50}`] : ["tool:cache"],
    session: `s${Math.floor(n / 20)}`,
    ...(n % 2 === 0 && { labels: "kind=even" }),
    ...(n % 10 === 0 && { episode_type: "fact" }),
  }));
  await test.call("apply", { changeset: JSON.stringify(ops) });
  await test.memory.makeMissingVectors();
  return {
    memory: test.memory,
    async recall(input: object, options: ExecuteOptions = {}) {
      statements.length = 0;
      clock.asked = 0;
      const response = { query: "cache copies", ...input };
      const found = await test.memory.execute("recall", response, options);
      return { found, statements: statements.length, asked: clock.asked };
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const QUESTIONS = [
  ["everything", {}],
  ["labels", { labels: "kind=even" }],
  ["an entity", { entity: "tool:cache" }],
  ["a moment", { as_of: "2030-01-01" }],
  ["an entity named in the query", { query: "what does tool:cache keep, shard by shard?" }],
] as const;

describe("a recall with a deadline", () => {
  let memory: Awaited<ReturnType<typeof fullMemory>>;

  beforeAll(async () => {
    memory = await fullMemory();
  }, 180_000);

  afterAll(() => memory[Symbol.asyncDispose]());

  itOnSqlite.each(QUESTIONS)(
    "within %s looks at the time for each row that it passes over",
    async (_, input) => {
      const { found, asked } = await memory.recall({ ...input, timeout_ms: 1_000_000_000 });
      expect(found.partial).toBe(false);
      expect(asked).toBeGreaterThan(EPISODES);
      const unhurried = await memory.recall(input);
      expect(found.episodes).toEqual(unhurried.found.episodes);
      expect(found.concepts).toEqual(unhurried.found.concepts);
    },
  );

  it.each(QUESTIONS)("within %s stops soon after the deadline", async (_, input) => {
    const whole = await memory.recall({ ...input, timeout_ms: 1_000_000_000 });
    for (let part = 0; part < 20; part += 1) {
      const timeout = Math.ceil((part / 20) * (whole.asked + whole.statements));
      const { found, statements, asked } = await memory.recall({ ...input, timeout_ms: timeout });
      const spent = statements + asked;
      // If the deadline passes after ranking, the first results are still loaded.
      if (part < 15) expect(found.partial, `after ${timeout} of ${spent}`).toBe(true);
      if (!found.partial) expect(found).toEqual(whole.found);
      // Loading the candidate rows and the first results may exceed the deadline.
      expect(spent - timeout, `after ${timeout}`).toBeLessThan(60);
    }
  });

  it("returns the best results found by the deadline", async () => {
    const { asked, statements } = await memory.recall({ timeout_ms: 1_000_000_000 });
    const late = await memory.recall({ timeout_ms: Math.ceil((asked + statements) / 2) });
    expect(late.found.partial).toBe(true);
    expect(late.found.episodes.length).toBeGreaterThan(0);
  });

  it("uses the caller's clock for the deadline", async () => {
    const still = new TestClock();
    const whole = await memory.recall({ timeout_ms: 1 }, { clock: still });
    expect(whole.found.partial).toBe(false);
    const hurried = await memory.recall(
      { timeout_ms: 1_000_000_000 },
      { clock: new RunningClock() },
    );
    expect(hurried.found.partial).toBe(true);
  });

  it("uses the caller's clock for a prompt's context", async () => {
    const response = {
      prompt: "How many copies does the cache of shard 7 keep?",
      shown: new Set<string>(),
    };
    const context = await createPromptContext(memory.memory, {
      ...{ ...response, timeoutMs: 1, clock: new TestClock() },
    });
    const unhurried = await createPromptContext(memory.memory, {
      ...response,
      timeoutMs: 1_000_000_000,
    });
    expect(context).toEqual(unhurried);
  });
});

describe("passages of a recall with a deadline", () => {
  /** The clock advances only per statement, so the deadline falls on a chosen statement. */
  async function sourceMemory() {
    const clock = new TestClock();
    let statements = 0;
    const onStatement = () => {
      statements += 1;
      clock.advance(1);
    };
    const test = createTestMemory({ embedder: createWordEmbedder(), clock, onStatement });
    await test.memory.execute("read_source", {
      ...{ kind: "git", key: "queues" },
      passages: Array.from({ length: 40 }, (_, n) => ({
        ...{ key: String(n), role: "commit", by: "Ann" },
        text: n === 17 ? "Use walrus queues for the orders" : `Do step ${n} of the setup`,
        occurred_at: "2026-03-01T09:00:00Z",
      })),
    });
    await test.memory.makeMissingVectors();
    return {
      async recall(timeout: number) {
        statements = 0;
        const response = { query: "walrus queues", passage_k: 3, k: 0, episode_k: 0 };
        const found = await test.memory.execute("recall", { ...response, timeout_ms: timeout });
        return { found, statements };
      },
      [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
    };
  }

  it("get a lower score if the deadline passes before their words are counted", async () => {
    await using memory = await sourceMemory();
    const whole = await memory.recall(1_000_000_000);
    const [best] = whole.found.passages ?? [];
    expect(best?.text).toContain("walrus");
    const late = [];
    for (let timeout = 1; timeout <= whole.statements; timeout += 1) {
      const { found } = await memory.recall(timeout);
      if (!found.partial) expect(found.passages, `after ${timeout}`).toEqual(whole.found.passages);
      else late.push(...(found.passages ?? []));
    }
    const scores = late.filter(({ text }) => text.includes("walrus")).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(0);
    expect(Math.min(...scores)).toBeLessThan(best?.score ?? 0);
  });
});
