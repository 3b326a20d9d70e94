import { afterEach, expect, it } from "vitest";
import { createOperations, MemoryStore } from "../../../src/memory/index.ts";
import { WaitingRecalls } from "../../../src/memory/search/shared-batch.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { type MemoryServer, serveMemory, temporaryFolder } from "../../support/memory-server.ts";
import { openBackend } from "../../support/test-backend.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

let server: MemoryServer | undefined;
let opened: (() => void) | undefined;
afterEach(async () => {
  opened?.();
  await server?.end();
  server = undefined;
});

/** Holds back embeddings of stored texts until opened; query embeddings are immediate. */
function gatedEmbedder() {
  const embedder = createWordEmbedder();
  const embed = embedder.embed.bind(embedder);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
    opened = resolve;
  });
  const stored: string[] = [];
  let calls = 0;
  embedder.embed = async (texts, options) => {
    if (options?.role !== "query") {
      calls += 1;
      stored.push(...texts);
      await gate;
    }
    return embed(texts, options);
  };
  return { embedder, stored, open, calls: () => calls };
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    op: "remember",
    content: `the zebra sleeps ${n} hours`,
  }));

const recallOver = async (url: string, db: string) => {
  const answer = await fetch(`${url}/api/v1/query?db=${db}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "zebra" }),
  });
  return { status: answer.status, told: (await answer.json()) as Answer };
};
interface Answer {
  readonly partial: boolean;
  readonly episodes: readonly unknown[];
}

it("returns partial results to many clients after a bounded wait and computes each vector once", {
  tags: ["long"],
  timeout: 180_000,
}, async () => {
  const { embedder, stored, open, calls } = gatedEmbedder();
  const store = new MemoryStore({
    ...{ backend: openBackend(temporaryFolder()), defaultDatabase: "default", embedder },
    ...{ operations: createOperations(), logger: silentLogger, episodeTypes: [] },
    vectorsInBackground: true,
  });
  server = await serveMemory({ store });
  const { url } = server;
  const teams = ["red", "green", "blue"];
  for (const db of teams) {
    await store.open(db).execute("apply", { changeset: JSON.stringify(entries(60)) });
  }
  const pending = Array.from({ length: 30 }, (_, n) => recallOver(url, teams[n % 3] ?? ""));
  // A wait is bounded only while other recalls wait too, so more are started.
  const all = Promise.all(pending);
  const later: Promise<unknown>[] = [];
  const company = setInterval(() => later.push(recallOver(url, "red")), 2_000);
  const found = await all.finally(() => clearInterval(company));
  expect(found.map(({ status, told }) => [status, told.partial])).toEqual(
    found.map(() => [200, true]),
  );
  expect(found.every(({ told }) => told.episodes.length > 0)).toBe(true);
  // At most one batch per database, not one per waiting recall.
  expect(calls()).toBeGreaterThan(0);
  expect(calls()).toBeLessThanOrEqual(teams.length);
  open();
  await Promise.all(later);
  for (const db of teams) {
    await expect
      .poll(async () => (await recallOver(url, db)).told.partial, {
        timeout: 60_000,
        interval: 100,
      })
      .toBe(false);
  }
  const made = stored.filter((text) => text.startsWith("the zebra sleeps"));
  expect(made).toHaveLength(teams.length * 60);
});

it("lets a single recall wait for all its vectors", async () => {
  const embedder = createWordEmbedder();
  embedder.delayMs = 20;
  await using test = createTestMemory({ embedder, waiting: new WaitingRecalls(10) });
  await test.call("apply", { changeset: JSON.stringify(entries(100)) });
  expect((await test.call("recall", { query: "zebra" })).partial).toBe(false);
});

it("computes the newest vectors first without a text match", async () => {
  const embedder = createWordEmbedder();
  await using test = createTestMemory({ embedder });
  await test.call("apply", { changeset: JSON.stringify(entries(600)) });
  await test.call("recall", { query: "horse" });
  const made = embedder.seen.filter((text) => text.startsWith("the zebra sleeps"));
  expect(made).toEqual(
    entries(600)
      .map(({ content }) => content)
      .toReversed()
      .slice(0, 500),
  );
});

it("computes vectors of the best text matches before newer texts", async () => {
  const embedder = createWordEmbedder();
  await using test = createTestMemory({ embedder });
  await test.call("remember", { content: "a horse eats" });
  await test.call("apply", { changeset: JSON.stringify(entries(600)) });
  const found = await test.call("recall", { query: "what does the horse eat?" });
  expect(found.episodes[0]?.id).toBe("ep:1");
  expect(embedder.seen.find((text) => /^(a horse|the zebra)/.test(text))).toBe("a horse eats");
});

it("computes vectors of memory before newer passages", async () => {
  const embedder = createWordEmbedder([["horse", "mare"]]);
  await using test = createTestMemory({ embedder });
  await test.call("remember", { content: "a mare eats hay" });
  const passages = entries(600).map(({ content }, n) => ({
    ...{ key: `${n}`, role: "section" as const, by: "log", text: content },
    occurred_at: "2026-03-01T09:00:00Z",
  }));
  await test.call("read_source", { kind: "changelog", key: "log", passages });
  const found = await test.call("recall", { query: "what about our horse?", passage_k: 4 });
  expect(found.episodes.map(({ id }) => id)).toEqual(["ep:1"]);
  expect(found.partial).toBe(true);
});

it("continues for others if one waiter gives up, and stops if all do", async () => {
  const { embedder, open, calls } = gatedEmbedder();
  await using test = createTestMemory({ embedder });
  await test.call("apply", { changeset: JSON.stringify(entries(10)) });
  const leaving = new AbortController();
  const ask = (signal?: AbortSignal) =>
    test.memory.execute("recall", { query: "zebra" }, signal === undefined ? {} : { signal });
  const [left, stays] = [ask(leaving.signal), ask()];
  await expect.poll(calls).toBe(1);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  open();
  expect((await stays).partial).toBe(false);
});
