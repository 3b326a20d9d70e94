import { describe, expect, it } from "vitest";
import { createOperations, fieldKind, isRequired } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const operations = [...createOperations().values()];

const WRONG = {
  text: 5,
  list: 5,
  textList: 5,
  integer: "5",
  number: "0.5",
  boolean: "true",
  json: 5,
} as const;

/** `update` accepts the fields of episodes and of concepts; the id decides which apply. */
function isOfAnyType(operation: string, field: string): boolean {
  return operation === "update" && field !== "id";
}

describe("every operation", () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s refuses unknown fields and names the nearest known one",
    async (name, operation) => {
      await using t = createTestMemory();
      const [known] = Object.keys(operation.input.shape);
      const misspelt = known === undefined ? "x" : `${known}x`;
      const error = await t.failure(name, { [misspelt]: 1 });
      expect(error.code).toBe("invalid_input");
      expect(error.message).toContain(`unknown field "${misspelt}"`);
      if (known !== undefined) expect(error.message).toContain(`Did you mean "${known}"?`);
    },
  );

  it.each(
    operations.flatMap((operation) =>
      Object.entries(operation.input.shape)
        .filter(([field]) => !isOfAnyType(operation.name, field))
        .map(([field, schema]) => [operation.name, field, WRONG[fieldKind(schema)]] as const),
    ),
  )("%s refuses a wrong type in %s", async (name, field, wrong) => {
    await using t = createTestMemory();
    const error = await t.failure(name, { [field]: wrong });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(`${field}:`);
    expect(await t.memory.isThere()).toBe(false);
  });

  it.each(
    operations.flatMap((operation) =>
      Object.entries(operation.input.shape)
        .filter(([, schema]) => isRequired(schema))
        .map(([field]) => [operation.name, field] as const),
    ),
  )("%s says that %s is required", async (name, field) => {
    await using t = createTestMemory();
    const error = await t.failure(name, {});
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(field);
  });

  it.each(["x", 5, [], true])("refuses %j for the whole input", async (input) => {
    await using t = createTestMemory();
    const error = await t.failure("remember", input);
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("expected object");
  });

  it("takes null for an empty input", async () => {
    await using t = createTestMemory();
    expect((await t.failure("remember", null)).message).toContain("content: is required");
    expect(await t.memory.executeNamed("stats", null, { caller: OWNER })).toMatchObject({
      last_seq: 0,
    });
  });
});

describe("values of remember", () => {
  it.each([
    [{ content: "\n\t " }, "invalid_input", "content"],
    [{ content: "x".repeat(1024 * 1024 + 1) }, "too_large", "content"],
    [{ content: "x", entities: "nobody" }, "invalid_input", "entities"],
    [{ content: "x", entities: "planet:mars" }, "invalid_input", "entities"],
    [{ content: "x", entities: "person:" }, "invalid_input", "entities"],
    [{ content: "x", labels: "novalue" }, "invalid_input", "labels"],
    [{ content: "x", labels: "=v" }, "invalid_input", "labels"],
    [{ content: "x", metadata: "[1]" }, "invalid_input", "metadata"],
    [{ content: "x", metadata: "{" }, "invalid_input", "metadata"],
    [{ content: "x", occurred_at: "2026-02-30" }, "invalid_input", "occurred_at"],
    [{ content: "x", occurred_at: "yesterday" }, "invalid_input", "occurred_at"],
    [{ content: "x", topic: "none" }, "not_found", "topic"],
    [{ content: "x", asserted_by: "y".repeat(513) }, "invalid_input", "asserted_by"],
    [{ content: "x", idempotency_key: "" }, "invalid_input", "idempotency_key"],
  ])("%#: %s", async (input, code, field) => {
    await using t = createTestMemory();
    const error = await t.failure("remember", input);
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(field)]);
    expect(await t.memory.isThere()).toBe(false);
  });

  it.each([
    ["an object", (deep: unknown) => deep],
    ["text", (deep: unknown) => JSON.stringify(deep)],
  ])("refuses metadata that is nested thousands deep, given as %s", async (_name, give) => {
    await using t = createTestMemory();
    const depth = 3000;
    const text = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const metadata = give(JSON.parse(text));
    for (const further of [{}, { idempotency_key: "k" }]) {
      const error = await t.failure("remember", { content: "x", metadata, ...further });
      expect(error).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("metadata: is nested deeper"),
      });
    }
    for (const changeset of [
      `[{"op":"remember","content":"x","metadata":${text}}]`,
      `remember metadata='${text}' "x"`,
    ]) {
      expect((await t.failure("apply", { changeset })).code).toBe("changeset_failed");
    }
    expect(await t.memory.isThere()).toBe(false);
  });

  it("respect the configured limits in UTF-8 bytes and ops", async () => {
    await using t = createTestMemory({
      limits: { contentBytes: 10, changesetOps: 2, proposalDays: 60 },
    });
    await t.call("remember", { content: "ééééé" });
    expect((await t.failure("remember", { content: "éééééé" })).code).toBe("too_large");
    const update = { episode_id: "ep:1", content: "éééééé" };
    expect((await t.failure("update_episode", update)).code).toBe("too_large");
    const concept = { title: "t", from: "ep:1", summary: "12345678901" };
    expect((await t.failure("create_concept", concept)).code).toBe("too_large");
    const changeset = 'remember "a"\nremember "b"\nremember "c"';
    expect((await t.failure("apply", { changeset })).code).toBe("too_large");
    expect((await t.call("events")).count).toBe(1);
  });

  it("stores content unchanged: emoji, directional marks, a megabyte", async () => {
    await using t = createTestMemory();
    for (const content of ["👩‍👩‍👧 \u202e", "y".repeat(1024 * 1024)]) {
      const { id } = await t.call("remember", { content });
      expect((await t.call("get_episode", { episode_id: id })).content).toBe(content);
    }
  });
});

describe("very long lists", () => {
  const labels = (count: number) => Array.from({ length: count }, (_, n) => `key${n}=value`);

  it.each(["recall", "list_episodes", "list_concepts"])("%s takes 100 labels", async (name) => {
    await using t = createTestMemory();
    await t.call("remember", { content: "seen", labels: labels(100) });
    const query = name === "recall" ? { query: "seen" } : {};
    const found = await t.memory.executeNamed(
      name,
      { ...query, labels: labels(100) },
      { caller: OWNER },
    );
    if (name !== "list_concepts") expect(found).toMatchObject({ episodes: [{ content: "seen" }] });
    const error = await t.failure(name, { ...query, labels: labels(101) });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("labels: must name at most 100 labels");
  });

  it("remember accepts at most 1 000 entities or labels", async () => {
    await using t = createTestMemory();
    const entities = Array.from({ length: 1_001 }, (_, n) => `file:f${n}`);
    for (const field of [{ entities }, { labels: labels(1_001) }]) {
      const error = await t.failure("remember", { content: "x", ...field });
      expect(error.code).toBe("invalid_input");
      expect(error.message).toContain("at most 1000 ");
    }
  });
});
