import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createOperations, createSessionContext } from "../../../src/memory/index.ts";
import { executeInLayers, type RecallLayer } from "../../../src/memory/layers/recall-layers.ts";
import type { CallOptions } from "../../../src/memory/memory.ts";
import { recallOperation } from "../../../src/memory/operations/read/recall.ts";
import { type RecallOutput, recallOutput } from "../../../src/memory/recall/recall.schema.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";

let server: MemoryServer;

const THERE = { isThere: async () => true };

interface FakeLayer extends Pick<RecallLayer, "name" | "isThere"> {
  recall(options: CallOptions): Promise<RecallOutput>;
}

const recallLayers = (
  nearest: FakeLayer,
  outer: readonly FakeLayer[],
  { input, options }: { input: object; options: CallOptions },
) => {
  const layerOf = ({ recall, ...layer }: FakeLayer): RecallLayer => ({
    ...layer,
    executeHere: (_operation, _input, given) => recall(given),
  });
  return executeInLayers(layerOf(nearest), () => outer.map(layerOf), {
    ...{ operation: recallOperation, input },
    options: { ...options, surface: "rest" },
  });
};

beforeAll(async () => {
  server = await serveMemory({ layers: ["team", "company"] });
  const said = { default: "mine", company: "the company's" };
  for (const [db, whose] of Object.entries(said))
    await server.store.open(db).execute("remember", { content: `The release is ${whose}` });
  writeFileSync(join(server.dataDir, "team.db"), "QUETZALCOATL ".repeat(1_000));
});
afterAll(() => server.end());

async function ask(query: string, more: object = {}) {
  const answer = await fetch(`${server.url}/api/v1/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, ...more }),
  });
  const text = await answer.text();
  return { status: answer.status, text, found: recallOutput.parse(JSON.parse(text)) };
}

itOnSqlite(
  "answers from readable layers, and reports the unreadable one with the cure",
  async () => {
    const { status, text, found } = await ask("release");
    expect(status).toBe(200);
    expect(found.episodes.map(({ layer }) => layer).sort()).toEqual(["company", "default"]);
    expect(found.warnings).toMatchObject([{ layer: "team" }]);
    expect(found.warnings?.[0]?.message).toMatch(
      /"team" could not be read .*`cairn doctor --db team`/,
    );
    expect(text).not.toContain("QUETZALCOATL");
    expect(server.logged.join()).not.toContain("QUETZALCOATL");
  },
);

itOnSqlite("also reports it without matches", async () => {
  const { found } = await ask("zeppelin");
  expect(found.episodes).toEqual([]);
  expect(found.warnings).toHaveLength(1);
});

itOnSqlite("shows the model a note below the items, within the requested length", async () => {
  const recall = createOperations().get("recall");
  const message = await server.store
    .open()
    .executeNamed(
      "recall",
      { query: "release", max_chars: 300 },
      { caller: { name: undefined, scope: "admin" }, surface: "mcp" },
    );
  const { text = "" } = recall?.present?.(message, { query: "release" }) ?? {};
  expect(text).toMatch(/release[\s\S]*\n\nWARNING: The layer "team" could not be read/);
  expect(Array.from(text).length).toBeLessThanOrEqual(300);
});

it("does not expose driver messages with statements and values", async () => {
  const nothing = recallOutput.parse({
    concepts: [],
    episodes: [],
    open_conflicts: [],
    partial: false,
    formatted: "",
  });
  const found = await recallLayers(
    { ...THERE, name: "default", recall: async () => nothing },
    [
      {
        ...THERE,
        name: "team",
        recall: () => Promise.reject(new Error("Failed query: select … params: QUETZALCOATL")),
      },
    ],
    { input: { query: "release" }, options: { caller: { name: undefined, scope: "read" } } },
  );
  expect(JSON.stringify(found)).toContain('"code":"internal"');
  expect(JSON.stringify(found)).not.toContain("QUETZALCOATL");
});

it("ends when the caller aborts", async () => {
  const gone = new AbortController();
  const nothing = { concepts: [], episodes: [], open_conflicts: [], partial: false, formatted: "" };
  const pending = recallLayers(
    { ...THERE, name: "default", recall: async () => nothing },
    [
      {
        ...THERE,
        name: "team",
        recall: async ({ signal }) => {
          gone.abort(new Error("gone"));
          signal?.throwIfAborted();
          return nothing;
        },
      },
    ],
    {
      input: { query: "release" },
      options: { caller: { name: undefined, scope: "read" }, signal: gone.signal },
    },
  );
  await expect(pending).rejects.toThrow("gone");
});

it("does not wait for an unresponsive layer that ignores its signal", async () => {
  const nothing = recallOutput.parse({
    concepts: [],
    episodes: [],
    open_conflicts: [],
    partial: false,
    formatted: "",
  });
  const given: { signal?: AbortSignal | undefined } = {};
  const found = await recallLayers(
    { ...THERE, name: "default", recall: async () => nothing },
    [
      {
        ...THERE,
        name: "team",
        recall: ({ signal }) => {
          given.signal = signal;
          return new Promise(() => undefined);
        },
      },
      { ...THERE, name: "company", recall: async () => nothing },
    ],
    {
      input: { query: "release", timeout_ms: 30 },
      options: { caller: { name: undefined, scope: "admin" } },
    },
  );
  expect(recallOutput.parse(found).warnings).toMatchObject([{ layer: "team", code: "busy" }]);
  expect(given.signal?.aborted).toBe(true);
});

it("queries all layers concurrently", async () => {
  const nothing = recallOutput.parse({
    concepts: [],
    episodes: [],
    open_conflicts: [],
    partial: false,
    formatted: "",
  });
  const waiting: (() => void)[] = [];
  const layer = (name: string) => ({
    ...THERE,
    name,
    recall: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return nothing;
    },
  });
  const asking = recallLayers(layer("default"), [layer("team"), layer("company")], {
    input: { query: "release" },
    options: { caller: { name: undefined, scope: "admin" } },
  });
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  for (const answer of waiting) answer();
  await asking;
});

it("does not wait for a database with unknown existence, and names it", async () => {
  const own = await serveMemory({ layers: ["team", "company"] });
  onTestFinished(() => own.end());
  for (const db of ["default", "team", "company"])
    await own.store.open(db).execute("remember", { content: `The release of ${db}` });
  vi.spyOn(own.store.open("team"), "isThere").mockReturnValue(new Promise(() => undefined));
  const answer = await fetch(`${own.url}/api/v1/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "release", timeout_ms: 400 }),
  });
  const { episodes, warnings } = recallOutput.parse(await answer.json());
  expect(episodes.map(({ layer }) => layer).sort()).toEqual(["company", "default"]);
  expect(warnings).toMatchObject([{ layer: "team", code: "busy" }]);
});

it("starts a session without an unresponsive layer, and names it", async () => {
  const own = await serveMemory({ layers: ["team", "company"] });
  onTestFinished(() => own.end());
  for (const db of ["default", "company"])
    await own.store.open(db).execute("remember", {
      content: `The release of ${db} is on Tuesdays`,
      episode_type: "decision",
    });
  const team = own.store.open("team");
  vi.spyOn(team, "isThere").mockReturnValue(new Promise(() => undefined));
  vi.spyOn(team, "execute").mockReturnValue(new Promise(() => undefined));
  const company = own.store.open("company");
  const atWork = new Set<Promise<unknown>>();
  for (const name of ["isThere", "execute"] as const) {
    const real = company[name].bind(company) as (...inputs: unknown[]) => Promise<unknown>;
    vi.spyOn(company, name).mockImplementation((...inputs: unknown[]) => {
      const work = real(...inputs);
      atWork.add(work);
      void work.finally(() => atWork.delete(work));
      return work as never;
    });
  }
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = (async () => {
    const farther = await own.store.openOuterLayers();
    return createSessionContext({
      project: own.store.open(),
      own: undefined,
      outerLayers: farther,
    });
  })();
  const limit = { done: false };
  void begun.finally(() => {
    limit.done = true;
  });
  while (!limit.done) {
    // Advances the clock only while the other layer is idle.
    if (atWork.size === 0) await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { text = "" } = (await begun) ?? {};
  expect(text).toContain("The release of company is on Tuesdays");
  expect(text).toContain('The layer "team" could not be read (busy)');
});
