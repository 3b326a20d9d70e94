import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildCli } from "../support/built-cli.ts";
import { openMemoryStore, temporaryFolder } from "../support/memory-server.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { createTestMemory } from "../support/test-memory.ts";
import { createFileOf01 } from "./support/file-of-0.1.ts";

const run = promisify(execFile);

/** Root may write every file, so run as another user. */
function anotherUser(place: CliFolders) {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: place.home,
    CAIRN_DATA_DIR: place.dataDir,
    CAIRN_EMBEDDING_PROVIDER: "none",
  };
  return { cwd: "/", env, ...user };
}

async function asAnotherUser(place: CliFolders, ...args: string[]) {
  return run(process.execPath, [await buildCli(), ...args], anotherUser(place));
}

describe("a database on a medium that cannot be written", () => {
  it("can be read, exported and checked", { tags: ["long"] }, async () => {
    const place = createCliFolders();
    await runInProcess(place, ["remember", "carved in stone"]);
    chmodSync(join(place.dataDir, ".."), 0o755);
    chmodSync(join(place.dataDir, "default.db"), 0o444);
    chmodSync(place.dataDir, 0o555);
    expect((await asAnotherUser(place, "recall", "stone")).stdout).toContain("carved in stone");
    expect((await asAnotherUser(place, "export")).stdout).toContain("carved in stone");
    expect((await asAnotherUser(place, "doctor")).stdout).toContain("No problems found");
    expect(readdirSync(place.dataDir)).toEqual(["default.db"]);
    await expect(asAnotherUser(place, "remember", "more")).rejects.toMatchObject({
      stderr: expect.stringContaining("read-only"),
    });
    chmodSync(place.dataDir, 0o755);
  });

  it("shows a running server its writes once it can be written", { tags: ["long"] }, async () => {
    const place = createCliFolders();
    const setRights = (folder: number, file: number) => {
      chmodSync(place.dataDir, folder);
      chmodSync(join(place.dataDir, "default.db"), file);
    };
    await runInProcess(place, ["remember", "the first"]);
    chmodSync(join(place.dataDir, ".."), 0o755);
    setRights(0o555, 0o444);
    const command = [await buildCli(), "serve", "--port", "0"];
    const server = spawn(process.execPath, command, anotherUser(place));
    onTestFinished(() => void server.kill("SIGKILL"));
    const [ready] = (await once(server.stderr, "data")) as [Buffer];
    const [url] = /http:\S+/.exec(ready.toString()) ?? [];
    const count = async () =>
      ((await (await fetch(`${url}/api/v1/episodes`)).json()) as { total: number }).total;
    expect(await count()).toBe(1);
    setRights(0o777, 0o666);
    const written = await fetch(`${url}/api/v1/episodes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ content: "the second" }),
    });
    expect(written.status).toBe(200);
    expect(await count()).toBe(2);
  });

  it("is read with the tables of an earlier version", { tags: ["long"] }, async () => {
    const place = createCliFolders();
    mkdirSync(place.dataDir);
    const before = readFileSync(createFileOf01(place.dataDir));
    chmodSync(join(place.dataDir, ".."), 0o755);
    chmodSync(join(place.dataDir, "default.db"), 0o444);
    chmodSync(place.dataDir, 0o555);
    for (const command of [["list"], ["show", "ep:1"], ["export"]]) {
      expect((await asAnotherUser(place, ...command)).stdout).toContain("We deploy on Tuesdays");
    }
    const dryRun = await asAnotherUser(place, "db", "migrate", "--dry-run");
    expect(dryRun.stdout).toContain("schema 20");
    expect(await problemsFoundBy(place, "doctor")).not.toMatch(/✗ {2}(file|schema|references)/);
    const copy = join(temporaryFolder(), "copy.db");
    chmodSync(dirname(copy), 0o777);
    await asAnotherUser(place, "db", "backup", "default", copy);
    expect(readFileSync(copy).length).toBe(before.length);
    for (const command of [
      ["remember", "more"],
      ["db", "migrate"],
      ["doctor", "--fix"],
    ]) {
      expect(await problemsFoundBy(place, ...command)).toMatch(/^cairn: error: .*read-only\..*\n$/);
    }
    expect(readdirSync(place.dataDir)).toEqual(["default.db"]);
    expect(readFileSync(join(place.dataDir, "default.db")).equals(before)).toBe(true);
    chmodSync(place.dataDir, 0o755);
  });
});

describe("a data directory of another user", () => {
  it("is an error, not an empty memory", { tags: ["long"] }, async () => {
    const place = createCliFolders();
    await runInProcess(place, ["remember", "private"]);
    chmodSync(dirname(place.dataDir), 0o755);
    chmodSync(place.dataDir, process.getuid?.() === 0 ? 0o700 : 0o000);
    for (const command of [["recall", "x"], ["list", "episodes"], ["stats"], ["remember", "x"]]) {
      await expect(asAnotherUser(place, ...command)).rejects.toMatchObject({
        stderr: expect.stringContaining("permission denied"),
      });
    }
    chmodSync(place.dataDir, 0o700);
  });
});

async function problemsFoundBy(place: CliFolders, ...command: string[]): Promise<string> {
  const failed = await asAnotherUser(place, ...command).catch((error: unknown) => error);
  const { stdout, stderr } = failed as { readonly stdout: string; readonly stderr: string };
  return stderr || stdout;
}

describe("the files of a database", () => {
  it("are readable only by the owner", async () => {
    const place = createCliFolders();
    mkdirSync(place.dataDir, { mode: 0o755 });
    await using test = createTestMemory({ folder: place.dataDir });
    await test.call("remember", { content: "private" });
    await test.call("stats");
    const rights = readdirSync(place.dataDir).map(
      (name) => statSync(join(place.dataDir, name)).mode & 0o777,
    );
    expect(rights).toEqual([0o600, 0o600, 0o600]);
  });

  it("ignores an empty file of a failed first write", async () => {
    const place = createCliFolders();
    mkdirSync(place.dataDir);
    writeFileSync(join(place.dataDir, "other.db"), "");
    const { code, stderr } = await runInProcess(place, ["stats", "--db", "other"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("no database") });
    const { stdout } = await runInProcess(place, ["list", "databases", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ databases: [] });
    await runInProcess(place, ["remember", "first", "--db", "other"]);
    expect((await runInProcess(place, ["stats", "--db", "other"])).code).toBe(0);
  });

  it("rejects a path too long for SQLite before creating folders", async () => {
    const place = createCliFolders();
    const dataDir = join(place.project, ...Array.from({ length: 30 }, () => "a".repeat(20)));
    const result = await runInProcess(place, ["remember", "x", "--data-dir", dataDir]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("--data-dir") });
    expect(readdirSync(place.project)).toEqual([]);
  });
});

describe("a store of many databases", () => {
  it("keeps only recently used databases open", { tags: ["long"] }, async () => {
    const dataDir = temporaryFolder();
    const store = openMemoryStore(dataDir);
    const open = () => readdirSync(dataDir).filter((name) => name.endsWith("-wal")).length;
    for (let n = 0; n < 80; n += 1) {
      await store.open(`db${n}`).execute("remember", { content: `of ${n}` });
    }
    expect(open()).toBeLessThan(40);
    const first = await store.open("db0").execute("stats", {});
    expect(first).toMatchObject({ episodes: { total: 1 } });
    await store.close();
    expect(open()).toBeLessThanOrEqual(1);
  });
});
