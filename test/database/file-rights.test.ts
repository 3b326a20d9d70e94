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
function anotherUser(folders: CliFolders) {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folders.home,
    CAIRN_DATA_DIR: folders.dataDir,
    CAIRN_EMBEDDING_PROVIDER: "none",
  };
  return { cwd: "/", env, ...user };
}

async function asAnotherUser(cliFolders: CliFolders, ...args: string[]) {
  return run(process.execPath, [await buildCli(), ...args], anotherUser(cliFolders));
}

describe("a database on a medium that cannot be written", () => {
  it("can be read, exported and checked", { tags: ["long"] }, async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "carved in stone"]);
    chmodSync(join(folders.dataDir, ".."), 0o755);
    chmodSync(join(folders.dataDir, "default.db"), 0o444);
    chmodSync(folders.dataDir, 0o555);
    expect((await asAnotherUser(folders, "recall", "stone")).stdout).toContain("carved in stone");
    expect((await asAnotherUser(folders, "export")).stdout).toContain("carved in stone");
    expect((await asAnotherUser(folders, "doctor")).stdout).toContain("No problems found");
    expect(readdirSync(folders.dataDir)).toEqual(["default.db"]);
    await expect(asAnotherUser(folders, "remember", "more")).rejects.toMatchObject({
      stderr: expect.stringContaining("read-only"),
    });
    chmodSync(folders.dataDir, 0o755);
  });

  it("shows a running server its writes once it can be written", { tags: ["long"] }, async () => {
    const folders = createCliFolders();
    const setRights = (folder: number, file: number) => {
      chmodSync(folders.dataDir, folder);
      chmodSync(join(folders.dataDir, "default.db"), file);
    };
    await runInProcess(folders, ["remember", "the first"]);
    chmodSync(join(folders.dataDir, ".."), 0o755);
    setRights(0o555, 0o444);
    const command = [await buildCli(), "serve", "--port", "0"];
    const server = spawn(process.execPath, command, anotherUser(folders));
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
    const folders = createCliFolders();
    mkdirSync(folders.dataDir);
    const before = readFileSync(createFileOf01(folders.dataDir));
    chmodSync(join(folders.dataDir, ".."), 0o755);
    chmodSync(join(folders.dataDir, "default.db"), 0o444);
    chmodSync(folders.dataDir, 0o555);
    for (const command of [["list"], ["show", "ep:1"], ["export"]]) {
      expect((await asAnotherUser(folders, ...command)).stdout).toContain("We deploy on Tuesdays");
    }
    const dryRun = await asAnotherUser(folders, "db", "migrate", "--dry-run");
    expect(dryRun.stdout).toContain("schema 20");
    expect(await problemsFoundBy(folders, "doctor")).not.toMatch(/✗ {2}(file|schema|references)/);
    const copy = join(temporaryFolder(), "copy.db");
    chmodSync(dirname(copy), 0o777);
    await asAnotherUser(folders, "db", "backup", "default", copy);
    expect(readFileSync(copy).length).toBe(before.length);
    for (const command of [
      ["remember", "more"],
      ["db", "migrate"],
      ["doctor", "--fix"],
    ]) {
      expect(await problemsFoundBy(folders, ...command)).toMatch(
        /^cairn: error: .*read-only\..*\n$/,
      );
    }
    expect(readdirSync(folders.dataDir)).toEqual(["default.db"]);
    expect(readFileSync(join(folders.dataDir, "default.db")).equals(before)).toBe(true);
    chmodSync(folders.dataDir, 0o755);
  });
});

describe("a data directory of another user", () => {
  it("is an error, not an empty memory", { tags: ["long"] }, async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "private"]);
    chmodSync(dirname(folders.dataDir), 0o755);
    chmodSync(folders.dataDir, process.getuid?.() === 0 ? 0o700 : 0o000);
    for (const command of [["recall", "x"], ["list", "episodes"], ["stats"], ["remember", "x"]]) {
      await expect(asAnotherUser(folders, ...command)).rejects.toMatchObject({
        stderr: expect.stringContaining("permission denied"),
      });
    }
    chmodSync(folders.dataDir, 0o700);
  });
});

async function problemsFoundBy(folders: CliFolders, ...command: string[]): Promise<string> {
  const failed = await asAnotherUser(folders, ...command).catch((error: unknown) => error);
  const { stdout, stderr } = failed as { readonly stdout: string; readonly stderr: string };
  return stderr || stdout;
}

describe("the files of a database", () => {
  it("are readable only by the owner", async () => {
    const folders = createCliFolders();
    mkdirSync(folders.dataDir, { mode: 0o755 });
    await using test = createTestMemory({ folder: folders.dataDir });
    await test.call("remember", { content: "private" });
    await test.call("stats");
    const rights = readdirSync(folders.dataDir).map(
      (name) => statSync(join(folders.dataDir, name)).mode & 0o777,
    );
    expect(rights).toEqual([0o600, 0o600, 0o600]);
  });

  it("ignores an empty file of a failed first write", async () => {
    const folders = createCliFolders();
    mkdirSync(folders.dataDir);
    writeFileSync(join(folders.dataDir, "other.db"), "");
    const { code, stderr } = await runInProcess(folders, ["stats", "--db", "other"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("no database") });
    const { stdout } = await runInProcess(folders, ["list", "databases", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ databases: [] });
    await runInProcess(folders, ["remember", "first", "--db", "other"]);
    expect((await runInProcess(folders, ["stats", "--db", "other"])).code).toBe(0);
  });

  it("rejects a path too long for SQLite before creating folders", async () => {
    const folders = createCliFolders();
    const dataDir = join(folders.project, ...Array.from({ length: 30 }, () => "a".repeat(20)));
    const result = await runInProcess(folders, ["remember", "x", "--data-dir", dataDir]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("--data-dir") });
    expect(readdirSync(folders.project)).toEqual([]);
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
