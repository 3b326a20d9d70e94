import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  diagnose,
  exportDatabase,
  type MemoryEngine,
  reindex,
  repair,
} from "../../../src/memory/index.ts";
import type { Logger } from "../../../src/shared/logger.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { fillTemplate, openCopy } from "./filled-memory.ts";

const DAMAGES: readonly [name: string, statement: string][] = [
  ["a text index without its data", "delete from episode_text_data"],
  ["a text index without its structure", "delete from episode_text_data where id = 10"],
  [
    "a text index with a bad block",
    "update episode_text_data set block = x'0102' where id = (select max(id) from episode_text_data)",
  ],
  ["a text index without its settings", "delete from episode_text_config"],
  ["no text index", "drop table episode_text"],
  ["no queue of vectors", "drop table pending_vectors"],
  [
    "a vector index without signs",
    "delete from vector_signs; update meta set value = '' where key = 'signs'",
  ],
  ["a vector index with half of its signs", "update vector_signs set signs = substr(signs, 1, 7)"],
  ["no vector index", "drop table vector_signs"],
];

let template: Awaited<ReturnType<typeof fillTemplate>>;
beforeAll(async () => {
  template = await fillTemplate();
});
afterAll(() => template.remove());

function listening(): { readonly logger: Logger; readonly warnings: string[] } {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  return { warnings, logger: { info: () => {}, warn, error: warn } };
}

async function damage(memory: MemoryEngine, statement: string): Promise<void> {
  await (await getSqliteDatabase(memory)).maintain((connection) =>
    connection.unsafeMode(true).exec(statement).unsafeMode(false),
  );
}

const contentsOf = (answer: object) =>
  (answer as { episodes: { content: string }[] }).episodes.map(({ content }) => content);

describe.each(DAMAGES)("with %s", (_name, statement) => {
  it("stores, shows and exports episodes, which are found after the repair", async () => {
    const { logger, warnings } = listening();
    await using copy = openCopy(template.path, { logger });
    const { memory } = copy;
    await damage(memory, statement);

    const input = { content: "The zebra walks", entities: "tool:redis", idempotency_key: "once" };
    const written = await memory.execute("remember", input);
    expect(await memory.execute("remember", input)).toEqual(written);
    await memory.execute("update_episode", { episode_id: "ep:5", content: "A heron stands" });
    await memory.execute("delete", { id: "ep:6" });
    const changeset = 'remember "The giraffe sleeps"\nremember t=fact e=tool:x "An ox pulls"';
    await memory.execute("apply", { changeset });
    expect(warnings.length, warnings.join("\n")).toBeLessThanOrEqual(1);

    const response = await memory.execute("recall", { entity: "tool:redis" });
    expect(contentsOf(response)).toContain("The zebra walks");
    let text = "";
    await exportDatabase(memory, async (chunk) => {
      text += chunk;
    });
    for (const word of ["zebra", "giraffe", "heron", "Jobs run on Postgres"]) {
      expect(text).toContain(word);
    }

    expect((await diagnose(memory)).ok).toBe(false);
    expect((await repair(memory)).findings).toEqual([]);
    await memory.makeMissingVectors();
    expect((await diagnose(memory)).findings).toEqual([]);
    for (const word of ["zebra", "giraffe", "heron", "ox"]) {
      const [first] = contentsOf(await memory.execute("recall", { query: word }));
      expect(first).toContain(word);
    }
  });

  it("recall uses intact parts or names the repair", async () => {
    const { logger, warnings } = listening();
    await using copy = openCopy(template.path, { logger });
    const { memory } = copy;
    await damage(memory, statement);
    const answer = await memory.execute("recall", { query: "retry mails again" });
    expect(contentsOf(answer)[0]).toContain("200 mails");
    if (answer.partial) expect(warnings.join("\n")).toContain("cairn doctor --fix");
  });
});

it.each([
  "delete from episode_text_data",
  "delete from episode_text_config",
  "drop table episode_text",
  "delete from episode_text_idx",
  "delete from vector_signs",
  "update vector_signs set signs = substr(signs, 1, 7)",
])("is rebuilt by a reindex too: %s", async (statement) => {
  await using copy = openCopy(template.path);
  const { memory } = copy;
  await damage(memory, statement);
  await reindex(memory);
  expect((await diagnose(memory)).findings).toEqual([]);
  const [first] = contentsOf(await memory.execute("recall", { query: "mails" }));
  expect(first).toContain("200 mails");
});

it("a text-only query names the repair", async () => {
  await using copy = openCopy(template.path, { embedder: undefined });
  const { memory } = copy;
  await damage(memory, "drop table episode_text");
  await expect(memory.execute("recall", { query: "mails" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("`cairn doctor --fix`"),
  });
});
