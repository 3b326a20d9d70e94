// @module-tag long: processes that recall, and are killed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecallProcesses } from "../../../src/memory/recall/apart/recall-processes.ts";
import type { Caller } from "../../../src/shared/caller.ts";
import type { Logger } from "../../../src/shared/logger.ts";
import { isAlive } from "../../../src/shared/process-lock.ts";
import { busyRecalls } from "../../support/busy-recalls.ts";
import { CairnProcess, cairnPlace } from "../../support/cairn-process.ts";
import { defined } from "../../support/defined.ts";
import { memoryServer, memoryStore, temporaryFolder } from "../../support/memory-server.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { patiently } from "../../support/patiently.ts";
import { type TestMemory, testMemory } from "../../support/test-memory.ts";
import { ENGINE } from "../../support/test-place.ts";
import { until } from "../../support/until.ts";
import { createReadingEmbedder } from "../../support/word-embedder.ts";

interface Setup extends Partial<ConstructorParameters<typeof RecallProcesses>[0]> {
  readonly memory?: Parameters<typeof testMemory>[0];
}

interface Apart extends AsyncDisposable {
  readonly test: TestMemory;
  readonly processes: RecallProcesses;
  readonly told: readonly string[];
  /** Of the process that answers. */
  readonly pid: number;
}

/** A memory whose recalls another process answers, all of them. */
async function apart({ memory, ...options }: Setup = {}): Promise<Apart> {
  const told: string[] = [];
  const logger: Logger = {
    info: () => undefined,
    warn: (message) => told.push(message),
    error: (message) => told.push(message),
  };
  const processes = new RecallProcesses({ most: 1, logger, ...options });
  const test = testMemory({ ...memory, worksApart: true, recallProcesses: processes });
  await test.call("remember", {
    content: "The cache fails when the disk is full",
    entities: "file:b",
  });
  await test.call("remember", { content: "Invoices go out on Fridays" });
  const busy = await busyRecalls(processes, () => test.call("recall", { query: "warm" }));
  return {
    ...{ test, processes, told },
    pid: defined(processes.pids[0]),
    async [Symbol.asyncDispose]() {
      await busy.end();
      await processes.close();
      await test[Symbol.asyncDispose]();
    },
  };
}

const onLinux = it.skipIf(ENGINE !== "sqlite" || process.platform !== "linux");

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const isGone = (pid: number) => () => !isAlive(pid);

describe("recalls in another process", () => {
  itOnSqlite("begin when recalls wait for each other, not when they come one by one", async () => {
    const processes = new RecallProcesses({ most: 1, logger: console });
    await using test = testMemory({ worksApart: true, recallProcesses: processes });
    await test.call("remember", { content: "The cache fails" });
    for (let n = 0; n < 60; n += 1) await test.call("recall", { query: "cache" });
    await processes.close();
    expect(processes.state).toEqual({ ready: 0, answered: 0, takenBack: 0 });
  });

  itOnSqlite("answer as this one does, with and without vectors", async () => {
    for (const embedder of [undefined, createReadingEmbedder()]) {
      await using it = await apart({ memory: embedder && { embedder } });
      await using alone = testMemory({
        folder: it.test.folder,
        ...(embedder && { embedder: createReadingEmbedder() }),
      });
      const { answered } = it.processes.state;
      const asked = [
        { query: "what is wrong with the cache?", explain: true },
        { query: "cache", k: 1, episode_k: 1, max_chars: 60 },
        { entity: "file:b" },
        { query: "invoices on Fridays", timeout_ms: 60_000, passage_k: 3 },
        { query: "nothing of the kind" },
      ];
      for (const input of asked) {
        expect(await it.test.call("recall", input)).toEqual(await alone.call("recall", input));
      }
      expect(it.processes.state).toMatchObject({
        answered: answered + asked.length,
        takenBack: 0,
      });
    }
  });

  itOnSqlite("are refused here as ever", async () => {
    await using it = await apart();
    const { answered } = it.processes.state;
    const error = await it.test.failure("recall", { query: "cache", topic: 77 });
    await using alone = testMemory({ folder: it.test.folder });
    expect(error).toEqual(await alone.failure("recall", { query: "cache", topic: 77 }));
    expect(it.processes.state.answered).toBe(answered);
  });

  itOnSqlite("see what was written before them", async () => {
    await using it = await apart();
    const { answered } = it.processes.state;
    for (let n = 0; n < 30; n += 1) {
      const { id } = await it.test.call("remember", { content: `Lamp number${n} is broken` });
      const { episodes } = await it.test.call("recall", { query: `number${n}` });
      expect(episodes[0]?.id).toBe(id);
    }
    expect(it.processes.state.answered).toBe(answered + 30);
  });

  itOnSqlite("are noted with what there was no room for", async () => {
    await using it = await apart({ memory: { recallLog: { recalls: 100, days: 1 } } });
    const { answered } = it.processes.state;
    const question = "cache invoices";
    await it.test.memory.execute("recall", { query: question, max_chars: 60 }, { surface: "rest" });
    expect(it.processes.state.answered).toBe(answered + 1);
    const [noted] = (await it.test.call("recalls", {})).recalls;
    expect(noted).toMatchObject({ question, given: 1, cut: 1 });
    expect(noted?.items.map(({ id, cut }) => [id, cut])).toEqual([
      ["ep:2", false],
      ["ep:1", true],
    ]);
  });

  itOnSqlite("are answered here when the process is killed in the middle", async () => {
    await using it = await apart();
    await using alone = testMemory({ folder: it.test.folder });
    process.kill(it.pid, "SIGSTOP");
    const asked = ["cache", "invoices", "disk"].map((query) => it.test.call("recall", { query }));
    process.kill(it.pid, "SIGKILL");
    const found = await Promise.all(asked);
    for (const [n, query] of ["cache", "invoices", "disk"].entries()) {
      expect(found[n]).toEqual(await alone.call("recall", { query }));
    }
    expect(it.processes.state).toMatchObject({ ready: 0, takenBack: 3 });
    expect(it.told).toEqual([expect.stringContaining("SIGKILL")]);
    expect((await it.test.call("recall", { query: "cache" })).episodes).toHaveLength(1);
  });

  itOnSqlite("are answered here when the process says nothing, and it is ended", async () => {
    await using it = await apart({ hangingMs: 300 });
    process.kill(it.pid, "SIGSTOP");
    expect((await it.test.call("recall", { query: "cache" })).episodes[0]?.id).toBe("ep:1");
    await until(isGone(it.pid));
  });

  itOnSqlite("end for whoever no longer waits, and the process answers the next", async () => {
    await using it = await apart();
    const { answered } = it.processes.state;
    process.kill(it.pid, "SIGSTOP");
    const stop = new AbortController();
    const given = it.test.memory.execute("recall", { query: "cache" }, { signal: stop.signal });
    const late = it.test.memory.execute("recall", { query: "cache" }, { timeoutMs: 200 });
    stop.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    await expect(late).rejects.toMatchObject({ code: "busy" });
    process.kill(it.pid, "SIGCONT");
    await it.test.call("recall", { query: "cache" });
    expect(it.processes.state).toMatchObject({ answered: answered + 1, takenBack: 0 });
  });

  itOnSqlite("keep to the database and to what its caller may read", async () => {
    const folder = temporaryFolder();
    const store = memoryStore(folder, [], { worksApart: true, recallProcesses: 1 });
    const processes = defined(store.recallProcesses);
    const names = ["one", "two", "three", "four", "five", "six"];
    for (const name of names) {
      await store.open(name).execute("remember", { content: `The secret of ${name} is kept` });
    }
    const busy = await busyRecalls(processes, () =>
      store.open("one").execute("recall", { query: "x" }),
    );
    const { answered } = processes.state;
    const ask = async (name: string) => {
      const found = await store.open(name).execute("recall", { query: "secret kept" });
      return found.episodes.map(({ content }) => content);
    };
    const asked = [...names, ...names.toReversed(), ...names];
    const found = await Promise.all(asked.map(ask));
    expect(found).toEqual(asked.map((name) => [`The secret of ${name} is kept`]));
    expect(processes.state.answered).toBeGreaterThan(answered);
    const before = processes.state;
    const caller: Caller = { name: "ada", scope: "read", databases: ["one"] };
    await expect(
      store.open("two").executeNamed("recall", { query: "secret" }, { caller }),
    ).rejects.toMatchObject({ code: "forbidden" });
    expect(processes.state).toEqual(before);
    await busy.end();
    await store.close();
  });

  itOnSqlite("hold no database open that is renamed or removed", async () => {
    const folder = temporaryFolder();
    const store = memoryStore(folder, [], { worksApart: true, recallProcesses: 1 });
    const processes = defined(store.recallProcesses);
    await store.open("shop").execute("remember", { content: "The cache fails" });
    const busy = await busyRecalls(processes, () =>
      store.open("shop").execute("recall", { query: "cache" }),
    );
    await store.rename("shop", "store");
    expect((await store.open("store").execute("recall", { query: "cache" })).episodes).toHaveLength(
      1,
    );
    await store.remove("store");
    await expect(store.open("store").execute("recall", { query: "cache" })).rejects.toMatchObject({
      code: "not_found",
    });
    await busy.end();
    await store.close();
  });

  itOnSqlite("end their process after a while without any", async () => {
    await using it = await apart({ idleMs: 200 });
    await until(isGone(it.pid));
    expect(it.told).toEqual([]);
    expect((await it.test.call("recall", { query: "cache" })).episodes).toHaveLength(1);
  });

  itOnSqlite("leave nothing when the server ends, and are told of in its metrics", async () => {
    const server = await memoryServer({ worksApart: true, recallProcesses: 1 });
    const processes = defined(server.store.recallProcesses);
    const recall = () => server.store.open().execute("recall", { query: "cache" });
    await server.store.open().execute("remember", { content: "The cache fails" });
    const busy = await busyRecalls(processes, recall);
    const pid = defined(processes.pids[0]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^cairn_recall_processes 1$/m);
    expect(metrics).toMatch(/^cairn_recalls_taken_back_total 0$/m);
    await busy.end();
    await server.end();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(server.dataDir, "default.db-wal"))).toBe(false);
  });

  onLinux(
    "end with a server that is killed or told to end",
    { timeout: patiently(60_000) },
    async () => {
      for (const signal of ["SIGKILL", "SIGTERM"] as const) {
        const server = await CairnProcess.start({
          place: cairnPlace(),
          args: ["serve", "--port", "0", "--recall-processes", "1"],
        });
        const url = await server.ready();
        const post = async (path: string, body: object) => {
          const headers = { "content-type": "application/json" };
          const sent = { method: "POST", headers, body: JSON.stringify(body) };
          expect((await fetch(`${url}/api/v1${path}`, sent)).status).toBe(200);
        };
        await post("/episodes", { content: "The cache fails" });
        await until(async () => {
          await Promise.all(Array.from({ length: 20 }, () => post("/query", { query: "cache" })));
          return /^cairn_recall_processes 1$/m.test(await (await fetch(`${url}/metrics`)).text());
        });
        const children = childrenOf(defined(server.child.pid));
        expect(children).toHaveLength(1);
        server.child.kill(signal);
        await server.exited;
        await until(() => children.every((pid) => !isAlive(pid)));
      }
    },
  );
});
