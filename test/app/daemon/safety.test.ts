// @module-tag long: kills, stops and overloads processes.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readLines, writeLine } from "../../../src/app/daemon/daemon-client.ts";
import { connectToDaemon } from "../../../src/app/daemon/daemon-folder.ts";
import { builtPackage } from "../../support/built-package.ts";
import { expectDefined } from "../../support/defined.ts";
import { DaemonFixture } from "./support/daemon-fixture.ts";
import { CONCURRENT_CLIENTS, killDuringWrites } from "./support/kill-during-writes.ts";
import { requestOf, sendToDaemon, startDaemon } from "./support/send-to-daemon.ts";

const CONCURRENT_REQUESTS = 40;
const CALL = Buffer.from(
  JSON.stringify({ session_id: "s", tool_name: "Edit", tool_input: { file_path: "src/a.ts" } }),
).toString("base64");

describe("daemon safety", { timeout: 360_000 }, () => {
  let built: string;
  beforeAll(async () => {
    built = await builtPackage("safe");
  }, 180_000);

  const here = async () => {
    const place = new DaemonFixture(built);
    return { place, pid: await startDaemon(place) };
  };

  it("writes once even if killed during a request", async () => {
    await killDuringWrites(new DaemonFixture(built), CONCURRENT_CLIENTS);
  });

  it("serves forty concurrent requests", async () => {
    const { place } = await here();
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_REQUESTS }, (_, n) =>
        sendToDaemon(place, ["remember", `Note ${n}.`, "--json"]),
      ),
    );
    expect(answers.filter(({ code }) => code !== 0)).toEqual([]);
    const ids = answers.map(({ stdout }) => JSON.parse(stdout).id);
    expect(new Set(ids).size).toBe(CONCURRENT_REQUESTS);
    const { stdout } = await sendToDaemon(place, ["list", "episodes", "--json", "-n", "1"]);
    expect(JSON.parse(stdout).total).toBe(CONCURRENT_REQUESTS);
    // Called directly, because the command itself has a short deadline.
    const completed = await sendToDaemon(place, ["__complete", `cairn show ${ids[17]}`]);
    expect(completed).toMatchObject({ by: "daemon", code: 0 });
    expect(completed.stdout).toContain(ids[17]);
    const shown = await sendToDaemon(place, ["show", ids[17]]);
    expect(shown.stdout).toContain("Note 17.");
  });

  it("declines clients without write access to its folder", async () => {
    const { place } = await here();
    const honest = requestOf(place, ["remember", "Written"]);
    rmSync(join(place.folder, honest.proof));
    expect(await firstAnswer(place, honest)).toMatchObject({ kind: "declined" });
    const outside = join(place.root, "ask-outside");
    writeFileSync(outside, "");
    const lying = { ...requestOf(place, ["remember", "Written"]), proof: "../../ask-outside" };
    expect(await firstAnswer(place, lying)).toMatchObject({ kind: "declined" });
    expect(statSync(outside).size).toBe(0);
    expect(await place.status()).toMatchObject({ answered: 0 });
  });

  it.each([
    { what: "another time zone", env: { TZ: "Asia/Tokyo" } },
    { what: "another home", env: { HOME: "/nowhere" } },
    { what: "other options of Node.js", env: { NODE_OPTIONS: "--no-deprecation" } },
  ])("declines a client with $what", async ({ env }) => {
    const { place } = await here();
    const request = requestOf(place, ["recall", "x"], { env });
    const answer = await firstAnswer(place, request);
    expect(answer).toMatchObject({ kind: "declined" });
    expect(answer).not.toHaveProperty("hasTried");
    const masked = { ...requestOf(place, ["recall", "x"]), umask: 0o002 };
    expect(await firstAnswer(place, masked)).toMatchObject({ kind: "declined" });
  });

  it.each([
    { what: "folder", env: (root: string) => ({ CAIRN_DATA_DIR: join(root, "elsewhere") }) },
    { what: "server", env: () => ({ CAIRN_DATABASE: "postgres://localhost:1/x" }) },
    {
      what: "service",
      env: () => ({ CAIRN_EMBEDDING_PROVIDER: "ollama", CAIRN_EMBEDDING_BASE_URL: "http://a.b" }),
    },
  ])("accesses no other $what than its own", async ({ env }) => {
    const { place } = await here();
    for (const args of [
      ["remember", "Written elsewhere"],
      ["__complete", "cairn show ep:"],
      ["hook", "claude-code", "prompt"],
      ["hook", "claude-code", "tool"],
    ]) {
      const request = requestOf(place, args, { env: env(place.root) });
      expect(await firstAnswer(place, request), args.join(" ")).toMatchObject({ kind: "declined" });
    }
    expect(statSync(join(place.root, "elsewhere"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("is not used if its folder is a link or accessible to others", async () => {
    const { place } = await here();
    chmodSync(place.folder, 0o755);
    expect(await connectToDaemon(place.folder)).toBeUndefined();
    expect(await sendToDaemon(place, ["recall", "x"])).toMatchObject({ by: "command", code: 0 });
    chmodSync(place.folder, 0o700);
    const link = join(place.root, "link");
    symlinkSync(place.folder, link);
    expect(await connectToDaemon(link)).toBeUndefined();
    const socket = await connectToDaemon(place.folder);
    expect(socket).toBeDefined();
    socket?.destroy();
  });

  it("listens below a path longer than the socket address limit", async () => {
    const fixture = new DaemonFixture(built);
    const long = join(fixture.dataDir, "l".repeat(120), "daemon");
    mkdirSync(long, { recursive: true, mode: 0o700 });
    const pid = await startDaemon(
      Object.assign(Object.create(fixture), { folder: long, makeFolder: () => undefined }),
    );
    const socket = await connectToDaemon(long);
    expect(socket).toBeDefined();
    socket?.destroy();
    process.kill(pid, "SIGKILL");
  });

  it("exits when its program was replaced, and the next command starts a new one", async () => {
    const { place, pid } = await here();
    const moment = new Date(Date.now() + 60_000);
    utimesSync(place.daemonFile, moment, moment);
    expect(await sendToDaemon(place, ["recall", "x"])).toMatchObject({ by: "command", code: 0 });
    await place.waitUntilGone(pid);
    const next = await startDaemon(place);
    expect(await sendToDaemon(place, ["recall", "x"])).toMatchObject({ by: "daemon", code: 0 });
    process.kill(next, "SIGKILL");
  });

  it("is not replaced immediately by another version", async () => {
    const { place, pid } = await here();
    const other = { ...requestOf(place, ["remember", "Written"]), program: "/elsewhere 1 2" };
    expect(await firstAnswer(place, other)).toMatchObject({ kind: "declined" });
    expect(await sendToDaemon(place, ["recall", "x"])).toMatchObject({ by: "daemon", code: 0 });
    expect(await place.status()).toMatchObject({ pid });
  });

  it.skipIf(process.getuid?.() !== 0)("is not started in a folder of another user", async () => {
    const fixture = new DaemonFixture(built);
    await fixture.print(["remember", "Alone"], { env: { CAIRN_DAEMON: "off" } });
    chownSync(fixture.dataDir, 65_534, 65_534);
    await fixture.print(["remember", "Alone, still"]);
    expect(existsSync(fixture.folder)).toBe(false);
  });

  it("is not restarted after each command if it cannot listen", async () => {
    const fixture = new DaemonFixture(built);
    fixture.makeFolder();
    // A non-empty folder blocks both unlink and bind.
    mkdirSync(join(fixture.folder, "socket", "occupied"), { recursive: true });
    await expect(startDaemon(fixture)).rejects.toThrow("it ended with 1");
    expect(JSON.parse(readFileSync(join(fixture.folder, "started"), "utf8"))).toMatchObject({
      off: [fixture.daemonFile, expect.stringContaining("config.json")],
    });
  });

  it("exits when its folder is deleted", async () => {
    const { place, pid } = await here();
    rmSync(place.dataDir, { recursive: true, force: true, maxRetries: 5 });
    await place.waitUntilGone(pid);
  });

  it("uses the current database file after it was replaced", async () => {
    const { place } = await here();
    const file = join(place.dataDir, "default.db");
    const ask = async (...args: string[]) => {
      const answer = await sendToDaemon(place, [...args, "--json"]);
      expect(answer).toMatchObject({ code: 0 });
      return JSON.parse(answer.stdout);
    };
    await ask("remember", "In the first file");
    for (const end of ["", "-wal", "-shm"]) {
      if (statSync(file + end, { throwIfNoEntry: false }))
        renameSync(file + end, `${file}.old${end}`);
    }
    expect(await ask("list", "episodes")).toMatchObject({ total: 0 });
    await ask("remember", "In the second file");
    await ask("remember", "In the second file again");
    expect(await ask("list", "episodes")).toMatchObject({ total: 2 });
  });

  it("separates projects and ignores database choices of untrusted ones", async () => {
    const { place } = await here();
    const projects = ["one", "two", "hostile"].map((name) => join(place.root, name));
    for (const [index, folder] of projects.entries()) {
      mkdirSync(join(folder, ".cairn"), { recursive: true });
      const db = ["first", "second", "first"][index];
      writeFileSync(join(folder, ".cairn", "config.json"), JSON.stringify({ db }));
    }
    const [one = "", two = "", hostile = ""] = projects;
    const ask = (args: readonly string[], cwd: string, stdin = "") =>
      sendToDaemon(place, args, { cwd, stdin });
    await ask(["remember", "Kubernetes deploys the first secret project"], one);
    await ask(["remember", "Kubernetes deploys the second one"], two);
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(["recall", "Kubernetes"], n % 2 === 0 ? one : two)),
    );
    expect(found.map(({ by }) => by)).toContain("daemon");
    for (const [n, { stdout }] of found.entries()) {
      expect(stdout.includes("first secret")).toBe(n % 2 === 0);
      expect(stdout.includes("second one")).toBe(n % 2 === 1);
    }
    const prompt = JSON.stringify({
      session_id: "s",
      cwd: hostile,
      prompt: "What does Kubernetes deploy here, which project?",
    });
    const told = await ask(["hook", "claude-code", "prompt"], hostile, prompt);
    expect(told.by).toBe("daemon");
    expect(told.stdout).not.toContain("first secret");
    expect(told.stderr).toContain("is not trusted");
  });

  it("lets a command continue after the daemon hangs, writing once", async () => {
    const { place, pid } = await here();
    process.kill(pid, "SIGSTOP");
    const done = await sendToDaemon(place, ["remember", "While it slept", "--json"]);
    expect(done).toMatchObject({ by: "command", code: 0 });
    process.kill(pid, "SIGCONT");
    expect(await sendToDaemon(place, ["list", "episodes", "--json"])).toMatchObject({
      by: "daemon",
    });
    const { stdout } = await sendToDaemon(place, ["list", "episodes", "--json"]);
    expect(JSON.parse(stdout).total).toBe(1);
  });

  it("tolerates silent, invalid and disconnecting clients", async () => {
    const { place } = await here();
    const silent = expectDefined(await connectToDaemon(place.folder));
    const babbling = expectDefined(await connectToDaemon(place.folder));
    const leaving = expectDefined(await connectToDaemon(place.folder));
    const closed = [silent, babbling].map((socket) => {
      socket.on("error", () => undefined);
      return new Promise((resolve) => socket.once("close", resolve));
    });
    babbling.write("{nonsense}\n");
    writeLine(leaving, requestOf(place, ["remember", "-"]));
    await expect.poll(async () => (await place.status())?.under_way).toBe(1);
    leaving.destroy();
    await expect.poll(async () => (await place.status())?.under_way).toBe(0);
    await Promise.all(closed);
    const { stdout } = await sendToDaemon(place, ["list", "episodes", "--json"]);
    expect(JSON.parse(stdout).total).toBe(0);
  });
});

async function firstAnswer(fixture: DaemonFixture, request: object): Promise<unknown> {
  const socket = await connectToDaemon(fixture.folder);
  if (socket === undefined) throw new Error("nobody listens");
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    readLines(socket, {
      maxCharacters: 1024 * 1024,
      onLine: (message) => {
        const { kind } = message as { kind: string };
        if (kind === "stdin") writeLine(socket, { kind: "stdin", bytes: CALL });
        else if (kind !== "taken") resolve(message);
      },
    });
    writeLine(socket, request);
  });
}
