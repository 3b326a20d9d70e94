import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { createOperations, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const LIMIT = 180_000;
const ITEMS = 120;
const DIMENSIONS = 8;

const notesIn = (texts: readonly string[]) => texts.filter((text) => /^Note \d+$/.test(text));

describeOnPostgres("the queue of vectors of several processes", () => {
  it("is shared between processes: each vector is computed once", async () => {
    const server = serverOfTheTest();
    const writer = memoryAt(server.url, undefined);
    await writer.execute("apply", { changeset: remembered(ITEMS) });
    const embedders = [1, 2, 3].map(() => Object.assign(createWordEmbedder(), { delayMs: 15 }));
    const memories = embedders.map((embedder) => memoryAt(server.url, embedder));
    await Promise.all(memories.map((memory) => memory.makeMissingVectors()));
    const made = embedders.map(({ seen }) => notesIn(seen));
    expect(made.flat()).toHaveLength(ITEMS);
    expect(new Set(made.flat()).size).toBe(ITEMS);
    expect(made.filter((notes) => notes.length > 0).length).toBeGreaterThan(1);
    expect(await memories[0]?.vectors.countPending()).toBe(0);
  });

  it("makes a search wait for vectors that another process is computing", async () => {
    const server = serverOfTheTest();
    const embedders = [0, 300].map((delayMs) => Object.assign(createWordEmbedder(), { delayMs }));
    const [searcher, maker] = embedders.map((embedder) => memoryAt(server.url, embedder));
    await searcher?.execute("remember", { content: "Note 0" });
    await searcher?.makeMissingVectors();
    await searcher?.execute("remember", { content: "Note 1" });
    const making = maker?.makeMissingVectors();
    await expect.poll(() => notesIn(embedders[1]?.seen ?? []), { interval: 5 }).toEqual(["Note 1"]);
    const answer = await searcher?.execute("recall", { query: "note" });
    expect(answer?.partial).not.toBe(true);
    await making;
    expect(notesIn(embedders[0]?.seen ?? [])).toEqual(["Note 0"]);
  });

  it("releases the claims of a killed process", {
    tags: ["long"],
    timeout: LIMIT,
  }, async () => {
    const server = serverOfTheTest();
    const model = await startModel();
    const place = { home: createCairnFolders().home, project: createCairnFolders().project };
    const start = () =>
      CairnProcess.start({
        place,
        args: ["serve", "--port", "0", "--db", "default"],
        env: {
          CAIRN_DATABASE: server.url,
          CAIRN_EMBEDDING_PROVIDER: "openai-compatible",
          CAIRN_EMBEDDING_MODEL: "counted",
          CAIRN_EMBEDDING_BASE_URL: model.url,
        },
      });
    const [doomed, other] = [await start(), await start()];
    const [doomedUrl, url] = [await doomed.ready(), await other.ready()];
    const apply = (at: string, changeset: string) =>
      fetch(`${at}/api/v1/apply`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ changeset }),
      }).then(({ status }) => expect(status).toBe(200));
    model.holds = true;
    await apply(doomedUrl, remembered(5));
    await expect.poll(() => model.held.length, { timeout: LIMIT / 4 }).toBe(1);
    model.holds = false;
    await apply(url, 'remember "Note 77"');
    await expect.poll(() => notesIn(model.texts), { timeout: LIMIT / 4 }).toContain("Note 77");
    const made = () => notesIn(model.texts).sort();
    expect(made()).toEqual(["Note 77"]);

    doomed.child.kill("SIGKILL");
    await doomed.exited;
    const search = () =>
      fetch(`${url}/api/v1/query`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "note" }),
      }).then(({ status }) => expect(status).toBe(200));
    const all = ["Note 0", "Note 1", "Note 2", "Note 3", "Note 4", "Note 77"];
    await expect.poll(() => search().then(made), { timeout: LIMIT / 2 }).toEqual(all);
  });
});

function serverOfTheTest() {
  const server = takePostgresDatabase();
  onTestFinished(() => server[Symbol.dispose]());
  return server;
}

const remembered = (count: number) =>
  Array.from({ length: count }, (_, n) => `remember "Note ${n}"`).join("\n");

/** Each call simulates a separate process. */
function memoryAt(address: string, embedder: ReturnType<typeof createWordEmbedder> | undefined) {
  const backend = openDatabaseBackend({ folder: "", address, isName: () => true });
  const memory = openMemory({
    name: "default",
    database: backend.open("default"),
    embedder,
    operations: createOperations(),
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await memory.close();
    await backend.close();
  });
  return memory;
}

async function startModel() {
  const model = {
    url: "",
    texts: [] as string[],
    holds: false,
    held: [] as ServerResponse[],
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body) as { input: string[] };
    if (model.holds) {
      model.held.push(response);
      return;
    }
    model.texts.push(...input);
    const data = input.map((text, index) => ({
      index,
      embedding: Array.from({ length: DIMENSIONS }, (_, at) => text.charCodeAt(at) || 1),
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}
