// @module-tag long: one sandbox per case.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { measureActivity } from "../../../src/agent/sandbox/measure-activity.ts";
import { ProjectGuard } from "../../../src/agent/sandbox/project-guard.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const reason = process.platform === "linux" ? await findSandboxProblem() : "only Linux tells";
const work = () => measureActivity(process.pid);
const soon = { timeout: 60_000 };

/** Creates a guarded project. The test acts as the user and, during a command, as the command. */
async function createGuardedProject() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-guard-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  await mkdir(root);
  const notices: string[] = [];
  const asideFolder = join(folder, "aside");
  const guard = new ProjectGuard({ root, asideFolder }, (notice) => notices.push(notice), work);
  const makeRepository = async (name: string) => {
    execFileSync("git", ["init", "-q", join(root, name)]);
    await alias(name, "x");
    await writeFile(join(root, name, ".git/hooks/pre-commit"), "echo mine\n");
  };
  const alias = async (name: string, to: string) =>
    execFileSync("git", ["-C", join(root, name), "config", "alias.x", `!${to}`]);
  const isWhole = (name: string) =>
    existsSync(join(root, name, ".git/config")) &&
    existsSync(join(root, name, ".git/hooks/pre-commit"));
  return { root, guard, notices, makeRepository, alias, isWhole };
}

it.skipIf(reason !== undefined)(
  "keeps files that the user creates while a command is idle, and quarantines those created while it works",
  async () => {
    const { processes, project } = await openSandboxBench();
    const { root, guard, notices, makeRepository, alias, isWhole } = await createGuardedProject();
    await guard.before();
    execFileSync("mkfifo", [join(project, "go")]);
    const command = "read x < go; while [ ! -e stop ]; do :; done; touch over; read x < go";
    const started = await processes.start(command);
    await expect.poll(() => (work() ?? "").split("\n").length, soon).toBeGreaterThan(1);
    await guard.before();

    await makeRepository("lib");
    await writeFile(join(root, ".envrc"), "export A=1\n");
    await mkdir(join(root, ".vscode"));
    await writeFile(join(root, ".vscode/settings.json"), "{}");
    await guard.before();
    await alias("lib", "y");
    await guard.before();
    expect(isWhole("lib")).toBe(true);

    await writeFile(join(project, "go"), "\n");
    await expect.poll(work, soon).toBeUndefined();
    await makeRepository("theirs");
    await guard.before();
    expect(isWhole("theirs")).toBe(false);
    expect(notices.join()).toContain("theirs/.git/config was created during a command");
    expect(isWhole("lib")).toBe(true);
    await alias("lib", "changed-by-the-command");
    await guard.before();
    expect(isWhole("lib")).toBe(false);
    await writeFile(join(root, ".mcp.json"), "{}");

    await writeFile(join(project, "stop"), "");
    await expect.poll(() => existsSync(join(project, "over")), soon).toBe(true);
    expect(started.state.phase).toBe("running");
    await guard.after();
    expect(existsSync(join(root, ".mcp.json"))).toBe(false);
    expect(existsSync(join(root, ".envrc"))).toBe(true);
    expect(existsSync(join(root, ".vscode/settings.json"))).toBe(true);
  },
  180_000,
);

it("treats all new files as created by the command if its activity is unknown", async () => {
  const { root, makeRepository, isWhole } = await createGuardedProject();
  const guard = new ProjectGuard(
    { root, asideFolder: join(root, "../aside") },
    () => undefined,
    () => undefined,
  );
  await guard.before();
  await guard.before();
  await makeRepository("lib");
  await guard.before();
  expect(isWhole("lib")).toBe(false);
  await guard.after();
});
