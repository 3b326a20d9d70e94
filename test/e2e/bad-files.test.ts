// @module-tag long: starts and kills processes.
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { buildCli } from "../support/built-cli.ts";
import {
  type CliFolders,
  createCliFolders,
  runInProcess,
  waitForExit,
} from "../support/run-cli.ts";

const run = promisify(execFile);
const file = (folders: CliFolders) => join(folders.dataDir, "default.db");

async function expectFailure(folders: CliFolders, ...args: string[]) {
  const result = await runInProcess(folders, args);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  const { stdout } = await runInProcess(folders, [...args, "--json"]);
  expect(stdout).not.toContain(folders.dataDir);
  return { message: result.stderr, code: JSON.parse(stdout).error.code };
}

describe("a database file", () => {
  it("that is not SQLite is unchanged", async () => {
    const folders = createCliFolders();
    mkdirSync(folders.dataDir);
    const text = "this is a letter, not a database\n".repeat(200);
    writeFileSync(file(folders), text);
    writeFileSync(join(folders.project, "x.jsonl"), '{"format":"cairn-export","version":1}\n');
    for (const args of [["remember", "x"], ["stats"], ["doctor"], ["import", "x.jsonl"]]) {
      const { message, code } = await expectFailure(folders, ...args);
      expect(message).toContain("is not a SQLite database");
      expect(code).toBe("conflict");
    }
    expect(readFileSync(file(folders), "utf8")).toBe(text);
  });

  it("of a newer cairn is not touched", async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "x"]);
    const database = new Database(file(folders));
    database.pragma("user_version = 999");
    database.close();
    const before = statSync(file(folders)).mtimeMs;
    for (const args of [["remember", "y"], ["stats"]]) {
      expect((await expectFailure(folders, ...args)).message).toContain("newer cairn");
    }
    expect(statSync(file(folders)).mtimeMs).toBe(before);
  });

  it("that is damaged is reported, also by the doctor", async () => {
    const folders = createCliFolders();
    const stdin = Array.from(
      { length: 300 },
      (_unused, n) => `remember "${"word ".repeat(60)}${n}"`,
    ).join("\n");
    await runInProcess(folders, ["apply"], { stdin });
    const bytes = readFileSync(file(folders));
    bytes.fill(0xff, 8192, Math.floor(bytes.length / 2));
    writeFileSync(file(folders), bytes);
    for (const args of [["doctor"], ["stats"]]) {
      const result = await runInProcess(folders, args);
      expect(result.code).toBe(1);
      expect(result.stdout + result.stderr).toMatch(/damaged/);
    }
  });

  it("that is read-only is a clear error", async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "x"]);
    chmodSync(file(folders), 0o444);
    for (const folder of [join(folders.dataDir, ".."), folders.dataDir]) chmodSync(folder, 0o755);
    // Root may write every file, so run as another user.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folders.home,
      CAIRN_DATA_DIR: folders.dataDir,
    };
    const child = spawn(process.execPath, [await buildCli(), "remember", "y"], {
      cwd: "/",
      env,
      ...user,
    });
    const { code, stdout, stderr } = await waitForExit(child);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("The database is read-only");
  });

  it("on a full disk keeps its data", async () => {
    const folders = createCliFolders();
    const cli = await buildCli();
    await runInProcess(folders, ["remember", "kept"]);
    // Simulates a full disk by a file size limit.
    const blocks = Math.ceil(statSync(file(folders)).size / 512) + 64;
    const big = join(folders.project, "big.changeset");
    writeFileSync(
      big,
      Array.from({ length: 400 }, (_unused, n) => `remember "${"text ".repeat(400)}${n}"`).join(
        "\n",
      ),
    );
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folders.home,
      CAIRN_DATA_DIR: folders.dataDir,
      CAIRN_EMBEDDING_PROVIDER: "none",
    };
    const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "${process.execPath}" "${cli}" apply "${big}"`;
    const failed = await run("sh", ["-c", script], { cwd: folders.project, env }).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed?.code).toBe(1);
    expect(failed?.stderr).toMatch(/disk/);
    const stats = JSON.parse((await runInProcess(folders, ["stats", "--json"])).stdout);
    expect(stats.episodes.total).toBe(1);
    expect((await runInProcess(folders, ["doctor"])).code).toBe(0);
    expect((await runInProcess(folders, ["remember", "and more"])).code).toBe(0);
  });
});
