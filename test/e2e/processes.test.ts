// @module-tag long: many concurrent writers.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildProgram } from "../support/built-cli.ts";
import {
  type CliFolders,
  createCliFolders,
  runCli,
  startCli,
  waitForExit,
} from "../support/run-cli.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";

async function json(folders: CliFolders, ...args: string[]) {
  const { code, stdout, stderr } = await runCli(folders, [...args, "--json"]);
  const said = stderr.replace(/^cairn: "[\w.-]+" is a new database\.\n/, "");
  expect({ code, said }, args.join(" ")).toEqual({ code: 0, said: "" });
  return JSON.parse(stdout);
}

/**
 * Checks that every acknowledged write is stored once, the feed has no gap, and the doctor has no
 * findings.
 */
async function expectSound(cliFolders: CliFolders, acknowledged: readonly string[]) {
  const { stdout } = await runCli(cliFolders, ["events", "--json", "--limit", "10000"]);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  const remembered = new Set(events.map(({ subject_id: id }) => id));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((id) => !remembered.has(id))).toEqual([]);
  expect((await json(cliFolders, "doctor")).findings).toEqual([]);
}

describe("concurrent writers", () => {
  it("lose nothing of eight", async () => {
    const folders = createCliFolders();
    const writers = Array.from({ length: 8 }, async (_unused, writer) => {
      const acknowledged: string[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        const made = await json(
          folders,
          "remember",
          `writer ${writer} turn ${turn}`,
          "--episode-type",
          "fact",
          "--entities",
          "project:shop",
        );
        acknowledged.push(made.id);
      }
      return acknowledged;
    });
    const acknowledged = (await Promise.all(writers)).flat();
    expect(acknowledged).toHaveLength(16);
    await expectSound(folders, acknowledged);
  }, 180_000);

  it("create a new database concurrently", async () => {
    const turns = [2, 6].map(async (processes) => {
      const folders = createCliFolders();
      const numbers = Array.from({ length: processes }, (_, index) => index + 1);
      const all = await Promise.all(
        numbers.map((number) => runCli(folders, ["remember", `note ${number}`, "--json"])),
      );
      for (const { code, stderr } of all) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const ids = new Set(all.map(({ stdout }) => JSON.parse(stdout).id));
      expect(ids).toEqual(new Set(numbers.map((number) => `ep:${number}`)));
    });
    await Promise.all(turns);
  }, 180_000);

  it("keep every acknowledged write when one is killed", async () => {
    const folders = createCliFolders();
    const acknowledged: string[] = [];
    for (const afterMs of [120, 250, 400]) {
      const writer = await startWriter(folders);
      createInterface({ input: writer.stdout ?? process.stdin }).on("line", (id) =>
        acknowledged.push(id),
      );
      await once(writer.stdout ?? writer, "data");
      await waitFixedTime(afterMs, "random moment");
      writer.kill("SIGKILL");
      await once(writer, "close");
    }
    expect(acknowledged.length).toBeGreaterThan(3);
    await expectSound(folders, acknowledged);
  }, 180_000);
});

async function startWriter(folders: CliFolders): Promise<ChildProcess> {
  const child = spawn(process.execPath, [await buildProgram("remember-forever")], {
    cwd: folders.project,
    env: { PATH: process.env.PATH ?? "", HOME: folders.home, CAIRN_DATA_DIR: folders.dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("events --follow", () => {
  it("shows writes of another process to a new database as they are stored", async () => {
    const folders = createCliFolders();
    const follower = await startCli(folders, [
      "events",
      "--follow",
      "--json",
      "--db",
      "later",
      "--since",
      "0",
    ]);
    const lines = follow(follower);
    await waitFixedTime(400, "no ready line");
    for (const id of ["ep:1", "ep:2", "ep:3"]) {
      const written = await json(folders, "remember", `this is ${id}`, "--db", "later");
      const stored = Date.parse(written.created_at);
      const { event, seen } = await lines.next();
      expect(event).toMatchObject({ kind: "remembered", subject_id: id });
      // Events arrive 200 ms after the commit, plus tolerance.
      expect(seen - stored).toBeLessThan(1_800);
    }
    follower.kill("SIGINT");
    const [code] = await once(follower, "close");
    expect(code).toBe(0);
  }, 90_000);

  it("starts at the current event, and exits when the reader closes the pipe", async () => {
    const folders = createCliFolders();
    await json(folders, "remember", "before");
    const follower = await startCli(folders, ["events", "--follow", "--json", "--limit", "1"]);
    let isOver = false;
    const end = waitForExit(follower).finally(() => {
      isOver = true;
    });
    // The follower prints no ready line, and it skips earlier writes, so write until it exits.
    while (!isOver) await json(folders, "remember", "after");
    const { code, stdout } = await end;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).seq).toBeGreaterThan(1);

    const reader = await startCli(folders, ["events", "--follow", "--since", "0"]);
    reader.stdout?.once("data", () => reader.stdout?.destroy());
    await once(reader.stdout ?? reader, "close");
    await json(folders, "remember", "nobody reads this");
    const [status] = await once(reader, "close");
    expect(status).toBe(0);
  }, 90_000);
});

function follow(child: ChildProcess) {
  const queue: { event: Record<string, unknown>; seen: number }[] = [];
  const waiting: ((item: (typeof queue)[number]) => void)[] = [];
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    const item = { event: JSON.parse(line), seen: Date.now() };
    const wake = waiting.shift();
    if (wake === undefined) queue.push(item);
    else wake(item);
  });
  return {
    next: () =>
      new Promise<(typeof queue)[number]>((resolve) => {
        const item = queue.shift();
        if (item === undefined) waiting.push(resolve);
        else resolve(item);
      }),
  };
}

describe("a shell", () => {
  it("gets a whole database through a pipe", async () => {
    const folders = createCliFolders();
    const changeset = Array.from({ length: 1_000 }, (_unused, index) =>
      index % 10 === 0
        ? `remember t=fact e=project:p${index % 70} "fact number ${index}"`
        : `remember "note number ${index}"`,
    );
    const applied = await runCli(folders, ["apply"], { stdin: changeset.join("\n") });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    expect(applied.stdout).toContain("Applied 1000 ops.");
    const backup = await runCli(folders, ["export"]);
    expect(backup.code).toBe(0);
    const restored = await runCli(folders, ["import", "--db", "copy"], { stdin: backup.stdout });
    expect(restored).toMatchObject({ code: 0, stderr: 'cairn: "copy" is a new database.\n' });
    const again = await runCli(folders, ["export", "--db", "copy"]);
    expect(again.stdout === backup.stdout).toBe(true);
    expect((await json(folders, "doctor", "--db", "copy")).findings).toEqual([]);
  }, 270_000);

  it("may stop reading", async () => {
    const folders = createCliFolders();
    await runCli(folders, ["apply"], {
      stdin: Array.from({ length: 500 }, (_u, n) => `remember "${"x".repeat(500)} ${n}"`).join(
        "\n",
      ),
    });
    const child = await startCli(folders, ["export"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    let stderr = "";
    child.stderr?.on("data", (text) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
