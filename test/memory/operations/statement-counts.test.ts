import { describe, expect, it } from "vitest";
import { OWNER } from "../../../src/shared/caller.ts";
import { ENGINE } from "../../support/test-backend.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const ABOUT = ["person:Ada", "module:billing"];

async function createFilledMemory(): Promise<{
  statementsOf(operation: string, input: object): Promise<string[]>;
  makeVectors(): Promise<number>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}> {
  const statements: string[] = [];
  const test = createTestMemory({
    embedder: createWordEmbedder(),
    onStatement: (statement) => statements.push(statement),
  });
  await test.call("remember", { content: "Ada owns billing", entities: ABOUT });
  await test.call("remember", {
    content: "Billing runs at night",
    entities: ABOUT,
    episode_type: "fact",
  });
  await test.memory.makeMissingVectors();
  return {
    async statementsOf(operation, input) {
      statements.length = 0;
      await test.memory.executeNamed(operation, input, { caller: OWNER });
      return [...statements];
    },
    makeVectors: () => test.memory.makeMissingVectors(),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

describe("the number of statements", () => {
  it("of a remembered episode", async () => {
    await using memory = await createFilledMemory();
    const alone = await memory.statementsOf("remember", { content: "A thought" });
    const linked = await memory.statementsOf("remember", { content: "More", entities: ABOUT });
    // Two statements count and rank words of earlier episodes; one reads the related ones.
    expect(alone.length, alone.join("\n")).toBeLessThanOrEqual(9);
    expect(linked.length, linked.join("\n")).toBeLessThanOrEqual(10);
  });

  it("of a fact that joins a cluster, and of one that opens one", async () => {
    await using memory = await createFilledMemory();
    const fact = { content: "Billing runs at noon", episode_type: "fact" };
    const joining = await memory.statementsOf("remember", { ...fact, entities: ABOUT });
    const entities = ["person:Bob", "module:shop"];
    await memory.statementsOf("remember", { content: "Bob has a shop", entities });
    const opening = await memory.statementsOf("remember", { ...fact, entities });
    expect(joining.length, joining.join("\n")).toBeLessThanOrEqual(17);
    expect(opening.length, opening.join("\n")).toBeLessThanOrEqual(17);
  });

  it("of a changeset does not grow with its episodes", async () => {
    await using memory = await createFilledMemory();
    const changeset = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, n) => ({
          op: "remember",
          content: `Note ${n} of ${count}`,
          entities: [...ABOUT, `file:${count}/${n}`],
          labels: "kind=note",
        })),
      );
    const twenty = await memory.statementsOf("apply", { changeset: changeset(20) });
    const fifty = await memory.statementsOf("apply", { changeset: changeset(50) });
    expect(fifty.length, fifty.join("\n")).toBe(twenty.length);
    expect(fifty.length).toBeLessThanOrEqual(20);
  });

  it("does not grow with a changeset's facts about one subject", async () => {
    await using memory = await createFilledMemory();
    const changeset = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, n) => ({
          op: "remember",
          episode_type: "fact",
          content: `Replica ${n} of ${count} runs`,
          entities: n % 2 === 0 ? ["module:hub"] : ["module:hub", `file:${count}/${n % 10}`],
        })),
      );
    await memory.statementsOf("apply", { changeset: changeset(4) });
    const four = await memory.statementsOf("apply", { changeset: changeset(40) });
    const fifty = await memory.statementsOf("apply", { changeset: changeset(50) });
    expect(fifty.length, fifty.join("\n")).toBe(four.length);
    expect(fifty.length).toBeLessThanOrEqual(24);
    const many = await memory.statementsOf("apply", { changeset: changeset(300) });
    const reads = many.filter((statement) =>
      statement.includes("statement_hash, facts.entity_key"),
    );
    expect(reads.length, "each cluster is read once for fifty facts").toBeLessThanOrEqual(6);
    expect(many.length).toBeLessThanOrEqual(6 * 12 + 12);
  });

  it("is constant for a recall", async () => {
    await using memory = await createFilledMemory();
    const ops = Array.from({ length: 30 }, (_, n) => ({
      op: "remember",
      content: `Replica ${n} of billing keeps orders`,
      episode_type: n % 3 === 0 ? "fact" : "observation",
      entities: [`module:part${n % 5}`],
      labels: "kind=note",
      session: `s${n % 4}`,
    }));
    await memory.statementsOf("apply", { changeset: JSON.stringify(ops) });
    await memory.makeVectors();
    const found = await memory.statementsOf("recall", {
      query: "which orders does Ada keep unheardofly in billing?",
    });
    // PostgreSQL has one more: the plan cache setting, pipelined with the next statement.
    const most = ENGINE === "postgres" ? 19 : 18;
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(most);
    const dated = await memory.statementsOf("recall", {
      query: "which orders does Ada keep unheardofly in billing since 2026?",
    });
    // Words are counted again within the period.
    expect(dated.length, dated.join("\n")).toBeLessThanOrEqual(found.length + 2);
  });

  it("of a recall do not grow by plans: SQLite plans none of them again at each run", async () => {
    await using memory = await createFilledMemory();
    const asked = [
      { query: "who owns billing at night?" },
      { query: "who owns billings?", explain: true, timeout_ms: 60_000 },
      { query: "billing", entity: "module:billing", passage_k: 3 },
      { query: "billing in 2026", context: "night", as_of: "2099-01-01T00:00:00Z" },
    ];
    for (const input of asked) {
      for (const statement of await memory.statementsOf("recall", input)) {
        // SQLite replans a statement at each run if these are bound parameters.
        expect(statement).not.toMatch(/\blimit \?|"status" = \?/i);
      }
    }
  });

  it("of a recall of passages counts the query's words once", async () => {
    await using memory = await createFilledMemory();
    await memory.statementsOf("read_source", {
      kind: "claude-code",
      key: "a",
      passages: [
        {
          key: "1",
          by: "user",
          text: "Which orders are kept?",
          occurred_at: "2026-03-01T09:00:00Z",
        },
      ],
    });
    const found = await memory.statementsOf("recall", { query: "kept orders", passage_k: 3 });
    const times = (statement: string) => found.filter((one) => one === statement).length;
    // Once for the query and once for similar settled statements.
    for (const statement of found.filter((one) => / match /.test(one)))
      expect(times(statement), statement).toBeLessThanOrEqual(2);
  });
});
