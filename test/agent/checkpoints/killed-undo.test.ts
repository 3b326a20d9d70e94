// @module-tag long: kills a process at each file operation.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { finishMerge, replaceFiles } from "../../../src/agent/worktrees/replace-files.ts";
import { createWorktree, findWorktree } from "../../../src/agent/worktrees/worktree.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { takeProcessLock } from "../../../src/shared/process-lock.ts";
import { bundleEntry } from "../../terminal/support/bundle-entry.ts";
import { openUndo } from "../support/open-undo.ts";
import { listTree } from "./tree-hash.ts";

function createProject() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-killed-undo-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [project, dataDir] = [join(home, "state", "project"), join(home, "state", "data")];
  mkdirSync(join(project, "d"), { recursive: true });
  for (const name of ["a", "b", "d/c"]) writeFileSync(join(project, name), `${name}\n`);
  const reset = () => {
    rmSync(join(home, "state"), { recursive: true });
    cpSync(join(home, "kept"), join(home, "state"), { recursive: true, verbatimSymlinks: true });
  };
  const keep = () =>
    cpSync(join(home, "state"), join(home, "kept"), { recursive: true, verbatimSymlinks: true });
  return { project, dataDir, keep, reset };
}

/** Kills the child after each file that it replaces and runs `check` after each kill. */
async function killEverywhere(
  [kind, { project, dataDir, reset }]: readonly [string, ReturnType<typeof createProject>],
  check: () => Promise<void>,
): Promise<number> {
  const script = await bundleEntry("test/agent/support/killed-step.ts");
  for (let count = 1; ; count += 1) {
    reset();
    const args = [script, kind, dataDir, project, String(count)];
    const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    await check();
    if (signal === "SIGKILL") continue;
    expect([status, stderr]).toEqual([0, ""]);
    return count - 1;
  }
}

it("finishes an undo that is killed at any file at the next start", async () => {
  const fixture = createProject();
  const { project, keep } = fixture;
  const original = listTree(project);
  const { thread } = openUndo(fixture);
  const turn = thread.begin("change all", undefined);
  await turn.ready();
  await turn.watch.willRunCommand();
  writeFileSync(join(project, "a"), "changed\n");
  rmSync(join(project, "b"));
  symlinkSync("a", join(project, "b"));
  rmSync(join(project, "d"), { recursive: true });
  mkdirSync(join(project, "new", "deep"), { recursive: true });
  writeFileSync(join(project, "new", "deep", "f"), "new\n");
  await turn.end();
  const changed = listTree(project);
  keep();
  const states = new Set<string>();
  const kills = await killEverywhere(["undo", fixture], async () => {
    const restarted = openUndo(fixture);
    const killed = JSON.stringify(listTree(project));
    states.add(killed);
    await restarted.project.finishRestore();
    const now = listTree(project);
    if (killed !== JSON.stringify(changed)) expect(now).toEqual(original);
    else expect([original, changed]).toContainEqual(now);
    // Undoing again must leave the files unchanged.
    const turns = await restarted.thread.turns();
    if (turns.length > 0) await restarted.thread.undo({ scope: "files" });
    expect(listTree(project)).toEqual(original);
  });
  expect(kills).toBeGreaterThan(5);
  expect(states.size).toBeGreaterThan(4);
});

it("finishes or rolls back a merge that is killed at any file", async () => {
  const fixture = createProject();
  const { project, dataDir, keep } = fixture;
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: project,
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const before = listTree(project);
  const { tree } = await createWorktree({ project, dataDir, name: "try", clock: systemClock });
  writeFileSync(join(tree, "a"), "merged\n");
  rmSync(join(tree, "d"), { recursive: true });
  writeFileSync(join(tree, "e"), "new\n");
  keep();
  const outcomes = new Set<string>();
  const kills = await killEverywhere(["merge", fixture], async () => {
    await finishMerge(findWorktree(dataDir, project, "try").folder);
    const now = listTree(project);
    outcomes.add(JSON.stringify(now));
    if (readFileSync(join(project, "a"), "utf8") === "a\n") expect(now).toEqual(before);
    else expect(now).toEqual(listTree(tree));
  });
  expect(kills).toBeGreaterThan(5);
  expect(outcomes.size).toBe(2);
});

it("leaves a merge of a live process alone", async () => {
  const { project, dataDir } = createProject();
  mkdirSync(dataDir);
  const temporary = join(project, ".a.cairn-1");
  writeFileSync(temporary, "merged\n");
  const steps = { top: project, stage: "commit", steps: [{ path: "a", temporary }] };
  writeFileSync(join(dataDir, "merge.json"), JSON.stringify(steps));
  const lock = takeProcessLock(join(dataDir, "merge.json.lock"));
  await finishMerge(dataDir);
  expect(readFileSync(join(project, "a"), "utf8")).toBe("a\n");
  await expect(replaceFiles(dataDir, project, [])).rejects.toThrow("another process is merging");
  if ("release" in lock) lock.release();
  await finishMerge(dataDir);
  expect(readFileSync(join(project, "a"), "utf8")).toBe("merged\n");
});
