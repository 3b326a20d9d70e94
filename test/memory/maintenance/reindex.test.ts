import { afterAll, beforeAll, expect, it } from "vitest";
import { diagnose, reindex } from "../../../src/memory/index.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";
import { fillTemplate, openCopy } from "./filled-memory.ts";

let template: Awaited<ReturnType<typeof fillTemplate>>;
beforeAll(async () => {
  template = await fillTemplate();
});
afterAll(() => template.remove());

it("changes the embedder of a database", async () => {
  await using copy = openCopy(template.path, {
    embedder: createWordEmbedder([], "another"),
  });
  const { memory } = copy;
  await expect(memory.execute("recall", { query: "mails" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("cairn reindex"),
  });
  const { made, missing } = await reindex(memory);
  expect(made).toBeGreaterThan(5);
  expect(missing).toBe(0);
  await memory.execute("recall", { query: "mails" });
  expect((await diagnose(memory)).findings).toEqual([]);
});

it("resumes after an interruption without losing data", async () => {
  await using copy = openCopy(template.path);
  const { memory } = copy;
  const changeset = Array.from({ length: 200 }, (_unused, index) => `remember "note ${index}"`);
  await memory.execute("apply", { changeset: changeset.join("\n") });
  const stop = new AbortController();
  const interrupted = reindex(memory, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("stopped")),
  });
  await expect(interrupted).rejects.toThrow("stopped");
  const left = await memory.vectors.countPending();
  expect(left).toBeGreaterThan(0);
  expect((await diagnose(memory)).findings).toEqual([]);
  const { made, missing } = await reindex(memory, { onlyMissing: true });
  expect({ made, missing }).toEqual({ made: left, missing: 0 });
  expect((await diagnose(memory)).findings).toEqual([]);
});

it("leaves a memory of more than 250 items without findings", async () => {
  await using copy = openCopy(template.path);
  const { memory } = copy;
  const changeset = Array.from({ length: 300 }, (_unused, index) => `remember "note ${index}"`);
  await memory.execute("apply", { changeset: changeset.join("\n") });
  await memory.makeMissingVectors();
  expect((await diagnose(memory)).findings).toEqual([]);
  await reindex(memory);
  expect((await diagnose(memory)).findings).toEqual([]);
});
