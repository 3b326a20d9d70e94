// @module-tag long: one sandbox per case.
import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { GuardNotes } from "../../../src/agent/sandbox/guard-notes.ts";
import { openSandbox } from "../../../src/agent/sandbox/open-sandbox.ts";
import { ProjectGuard } from "../../../src/agent/sandbox/project-guard.ts";
import { ownProgram } from "../../../src/shared/own-process.ts";
import { findSandboxProblem } from "../support/sandbox-bench.ts";

const { file, argv } = ownProgram(new URL("../support/failing-guard.ts", import.meta.url));
const HOOK = ".git/hooks/post-checkout";

function createProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-guard-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return createProjectIn(folder, "project");
}

function createProjectIn(folder: string, name: string) {
  const root = join(folder, name);
  const asideFolder = join(folder, "aside");
  mkdirSync(root);
  const notices: string[] = [];
  const open = () =>
    new ProjectGuard(
      { root, asideFolder },
      (notice) => notices.push(notice),
      () => undefined,
    );
  const made = (path: string, hook = "evil\n") => {
    execFileSync("git", ["init", "-q", join(root, path)]);
    writeFileSync(join(root, path, HOOK), hook);
  };
  const has = (path: string) => existsSync(join(root, path));
  return { folder, root, asideFolder, notices, open, made, has };
}

type Place = ReturnType<typeof createProject>;

/** Reads the quarantined versions of a file. */
function readQuarantined(
  { asideFolder }: Pick<Place, "asideFolder">,
  path: string,
): readonly string[] {
  return readdirSync(asideFolder).flatMap((name) => {
    const moved = join(asideFolder, name, path);
    return existsSync(moved) ? [readFileSync(moved, "utf8")] : [];
  });
}

async function runGuardWithFault(kind: string, { root, asideFolder }: Place, files = "1024") {
  const words = [file, ...argv, kind, root, asideFolder];
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, ...words],
    { timeout: 180_000 },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}

const reason = await findSandboxProblem();

describe("in a sandbox", () => {
  it.skipIf(reason !== undefined)(
    "keeps files that appear while the sandbox is probed",
    async () => {
      const folder = realpathSync(mkdtempSync(join(homedir(), ".cairn-tried-")));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const { root, made, has } = createProjectIn(folder, "project");
      let count = 0;
      const making = setInterval(() => made(`r${count++}`), 20);
      const sandbox = await openSandbox({
        ...{ setting: "required", projectRoot: root, permissionRules: [] },
        ...{ userConfigDir: join(folder, "config"), dataDir: join(folder, "data") },
        environment: { PATH: process.env.PATH ?? "" },
      }).finally(() => clearInterval(making));
      await sandbox.close();
      expect(sandbox.label).not.toMatch(/^off/);
      expect(count).toBeGreaterThan(0);
      const lost = Array.from({ length: count }, (_one, at) => `r${at}`).filter(
        (name) => !has(join(name, HOOK)),
      );
      expect(lost).toEqual([]);
    },
    180_000,
  );
});

it("blocks commands and moves nothing if no file can be opened, and scans before the next command", async () => {
  const at = createProject();
  at.made("mine");
  const { first, ended, second, noticesBefore, notices } = await runGuardWithFault(
    "files",
    at,
    "120",
  );
  expect(first).toMatch(/^No command runs: .*could not be checked.*EMFILE/);
  expect(ended).toMatch(/could not be checked \(EMFILE/);
  expect(second).toMatch(/^No command runs: .*EMFILE/);
  expect(noticesBefore).toBe(0);
  expect(notices).toEqual([expect.stringContaining(`made/${HOOK} was created during`)]);
  expect(readQuarantined(at, `made/${HOOK}`)).toEqual(["evil\n"]);
  for (const path of [`mine/${HOOK}`, "mine/.git/config", "made/.git/config"]) {
    expect(at.has(path), path).toBe(true);
  }
  expect(at.has("harmless/.git/config")).toBe(true);
}, 180_000);

it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "keeps an unlistable existing folder, and scans a new one",
  async () => {
    const at = createProject();
    chmodSync(at.folder, 0o777);
    chmodSync(at.root, 0o777);
    const { kept, told, next, notices } = await runGuardWithFault("unlisted", at);
    expect(kept).toEqual([join(at.root, "own")]);
    expect(told).toEqual([expect.stringMatching(/could not be checked \(EACCES.*hidden/)]);
    expect(next).toMatch(/^No command runs: .*EACCES.*hidden/);
    expect(notices).toEqual([expect.stringContaining(`hidden/in/${HOOK} was created during`)]);
    expect(readQuarantined(at, `hidden/in/${HOOK}`)).toEqual(["evil\n"]);
  },
  180_000,
);

it("loses nothing with two guards on one project or on shared data", async () => {
  const { folder } = createProject();
  const places = Array.from({ length: 6 }, (_one, number) => createProjectIn(folder, `p${number}`));
  const guards = places.flatMap((at) => [at.open(), at.open()]);
  await Promise.all(guards.map((guard) => guard.before()));
  for (const [number, { made }] of places.entries()) made("lib", `of ${number}\n`);
  await Promise.all(guards.map((guard) => guard.after()));
  const [first] = places;
  const retained = readQuarantined({ asideFolder: first?.asideFolder ?? "" }, `lib/${HOOK}`);
  expect([...retained].sort()).toEqual(places.map((_at, number) => `of ${number}\n`));
  for (const { has } of places) expect(has(`lib/${HOOK}`)).toBe(false);
});

it("keeps both versions of a file quarantined twice", async () => {
  const at = createProject();
  const guard = at.open();
  for (const text of ["one\n", "two\n"]) {
    await guard.before();
    writeFileSync(join(at.root, ".envrc"), text);
    await guard.after();
  }
  expect([...readQuarantined(at, ".envrc")].sort()).toEqual(["one\n", "two\n"]);
});

it("a command that could not be prepared does not count as running", async () => {
  const at = createProject();
  const guard = at.open();
  writeFileSync(at.asideFolder, "in the way of the notes\n");
  renameSync(at.asideFolder, `${at.asideFolder}-notes`);
  await expect(guard.before()).rejects.toThrowError(/No command runs/);
  rmSync(`${at.asideFolder}-notes`);
  await guard.before();
  await guard.after();
  at.made("mine");
  await guard.before();
  await guard.after();
  expect(at.has(`mine/${HOOK}`)).toBe(true);
});

describe("a guard that was killed while a command ran", () => {
  async function kill(at: Place): Promise<void> {
    const child = spawn(process.execPath, [file, ...argv, "killed", at.root, at.asideFolder], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }

  it("scans what the command created before a crash", async () => {
    const at = createProject();
    at.made("mine");
    await kill(at);
    await at.open().before();
    expect(at.has(`made/${HOOK}`)).toBe(false);
    expect(readQuarantined(at, `made/${HOOK}`)).toEqual(["evil\n"]);
    expect(at.has(`mine/${HOOK}`)).toBe(true);
    expect(at.notices).toEqual([expect.stringContaining(`made/${HOOK} was created during`)]);

    at.made("later");
    await at.open().before();
    expect(at.has(`later/${HOOK}`)).toBe(true);
  });

  it("keeps files that the user created long after", async () => {
    const at = createProject();
    await kill(at);
    const notes = `${at.asideFolder}-notes`;
    const before = Date.now() / 1_000 - 60;
    for (const name of readdirSync(notes)) utimesSync(join(notes, name), before, before);
    await at.open().before();
    expect(at.has(`made/${HOOK}`)).toBe(true);
    expect(at.notices).toEqual([]);
  });
});

it("reports files moved before a crash once, at the next start", async () => {
  const at = createProject();
  at.made("lib");
  const to = join(at.asideFolder, "then", `lib/${HOOK}`);
  mkdirSync(join(to, ".."), { recursive: true });
  await new GuardNotes(at).moving(join(at.root, `lib/${HOOK}`), to);
  renameSync(join(at.root, `lib/${HOOK}`), to);
  await at.open().before();
  expect(at.notices).toEqual([expect.stringContaining(`It was moved to ${to}`)]);
  await at.open().before();
  expect(at.notices).toHaveLength(1);
});
