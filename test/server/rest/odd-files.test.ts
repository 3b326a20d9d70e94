// @module-tag long: starts and kills processes.
import { execFileSync } from "node:child_process";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveMemory } from "../../support/memory-server.ts";
import { createCliFolders, runCli } from "../../support/run-cli.ts";
import { ENGINE } from "../../support/test-backend.ts";

async function get(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  return { status: response.status, text: await response.text() };
}

describe.skipIf(ENGINE !== "sqlite")("foreign files in the data folder", () => {
  it("do not block requests", async () => {
    const server = await serveMemory();
    onTestFinished(() => server.end());
    await server.store.open().execute("remember", { content: "whole" });
    const at = (name: string) => join(server.dataDir, name);
    execFileSync("mkfifo", [at("pipe.db")]);
    symlinkSync("loop.db", at("loop.db"));
    symlinkSync("pipe.db", at("linked.db"));
    const listener = createServer().listen(at("socket.db"));
    onTestFinished(() => void listener.close());
    execFileSync("mkdir", [at("folder.db")]);
    for (const name of ["pipe", "loop", "linked", "socket", "folder"]) {
      for (const path of ["/api/v1/stats", "/api/v1/episodes?limit=1"]) {
        const answer = await get(`${server.url}${path}${path.includes("?") ? "&" : "?"}db=${name}`);
        expect([name, [404, 409].includes(answer.status), answer.text]).toEqual([
          name,
          true,
          expect.stringContaining('"error"'),
        ]);
      }
      const written = await fetch(`${server.url}/api/v1/episodes?db=${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"content":"x"}',
        signal: AbortSignal.timeout(10_000),
      });
      expect([name, written.status]).toEqual([name, 409]);
    }
    expect((await get(`${server.url}/api/v1/databases`)).text).toContain('"default"');
    expect((await get(`${server.url}/api/v1/episodes`)).text).toContain("whole");
  });

  it("do not block or fail commands", async () => {
    const folders = createCliFolders();
    await runCli(folders, ["remember", "first"]);
    symlinkSync("loop.db", join(folders.dataDir, "loop.db"));
    execFileSync("mkfifo", [join(folders.dataDir, "pipe.db")]);
    execFileSync("mkfifo", [join(folders.dataDir, "projects.json")]);
    const stored = await runCli(folders, ["remember", "second", "--db", "another"]);
    expect([stored.code, stored.stdout]).toEqual([0, expect.stringContaining("Remembered ep:1")]);
    expect((await runCli(folders, ["recall", "x", "--db", "pipe"])).stderr).toContain(
      "is not a regular file",
    );
    execFileSync("mkfifo", [join(folders.project, ".git")]);
    expect((await runCli(folders, ["recall", "first"])).stdout).toContain("first");
  });

  it("a data folder that is a file is reported", async () => {
    const folders = createCliFolders();
    const file = join(folders.home, "file");
    writeFileSync(file, "");
    const result = await runCli(folders, ["--data-dir", file, "remember", "x"]);
    expect([result.code, result.stderr]).toEqual([
      1,
      expect.stringContaining("a part of the path is a file. Check the data directory"),
    ]);
  });
});

describe.skipIf(ENGINE !== "sqlite")(
  "a file that was restored in place under a running server",
  () => {
    it("rejects writes while damaged, and continues once repaired", async () => {
      const server = await serveMemory();
      onTestFinished(() => server.end());
      const memory = server.store.open();
      const path = join(server.dataDir, "default.db");
      const backup = join(server.dataDir, "backup");
      for (let n = 0; n < 200; n += 1) {
        await memory.execute("remember", { content: `note ${n} ${"x".repeat(2_000)}` });
      }
      await server.store.backup("default", backup);
      for (let n = 0; n < 200; n += 1) {
        await memory.execute("remember", { content: `later ${n} ${"y".repeat(2_000)}` });
      }
      copyFileSync(backup, path);
      const write = (content: string) =>
        memory.execute("remember", { content }).catch((error: Error) => error);
      const read = () =>
        memory.execute("list_episodes", { limit: 500 }).catch((error: Error) => error);
      const acknowledged: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const found = await read();
        const isDamaged = found instanceof Error;
        const stored = await write(`after ${n}`);
        if (isDamaged)
          expect([n, found.message, stored]).toEqual([n, found.message, expect.any(Error)]);
        if (!(stored instanceof Error)) acknowledged.push(stored.id);
      }
      if (acknowledged.length === 0) return;
      for (const id of acknowledged) {
        expect(await memory.execute("get_episode", { episode_id: id })).toMatchObject({ id });
      }
    });
  },
);
