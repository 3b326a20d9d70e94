import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDiff, loadChanges } from "../../../src/agent/worktrees/changes.ts";
import { mergeWorktree, planMerge } from "../../../src/agent/worktrees/merge.ts";
import { finishMerge } from "../../../src/agent/worktrees/replace-files.ts";
import {
  createWorktree,
  listWorktrees,
  removeWorktree,
} from "../../../src/agent/worktrees/worktree.ts";
import { systemClock } from "../../../src/shared/clock.ts";

function createRepository() {
  const home = mkdtempSync(join(tmpdir(), "cairn-worktree-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = join(home, "shop");
  mkdirSync(project);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: project,
      encoding: "utf8",
    });
  git("init", "-q");
  writeFileSync(join(project, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(project, ".gitignore"), "build\nnode_modules\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const request = (name: string) => ({
    ...{ project, name, clock: systemClock },
    dataDir: join(home, "data"),
  });
  const read = (path: string) => readFileSync(join(project, path), "utf8");
  return { home, project, git, request, read };
}

it("contains uncommitted, untracked and installed files, and runs no hook or filter", async () => {
  const { home, project, git, request } = createRepository();
  git("config", "filter.evil.smudge", `touch ${home}/smudged; cat`);
  git("config", "filter.evil.clean", `touch ${home}/cleaned; cat`);
  writeFileSync(join(project, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${home}/hooked\n`);
  chmodSync(join(project, ".git/hooks/post-checkout"), 0o755);
  writeFileSync(join(project, ".gitattributes"), "* filter=evil\n");
  writeFileSync(join(project, "a.txt"), "one\nTWO\nthree\n");
  writeFileSync(join(project, "new.txt"), "new\n");
  mkdirSync(join(project, "node_modules/dep"), { recursive: true });
  writeFileSync(join(project, "node_modules/dep/index.js"), "1\n");
  const { tree, root } = await createWorktree(request("try"));
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
  expect(readFileSync(join(tree, "new.txt"), "utf8")).toBe("new\n");
  expect(existsSync(join(tree, "node_modules/dep/index.js"))).toBe(true);
  const status = execFileSync("git", ["-c", "core.fsmonitor=false", "branch", "--show-current"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status).toBe("cairn/try\n");
  expect(["smudged", "cleaned", "hooked"].filter((name) => existsSync(join(home, name)))).toEqual(
    [],
  );
});

it("merges changes of both sides with modes; conflicts write nothing", async () => {
  const { project, request, read } = createRepository();
  writeFileSync(join(project, "secret.txt"), "x\n", { mode: 0o600 });
  writeFileSync(join(project, "run.sh"), "echo\n");
  const worktree = await createWorktree(request("try"));
  expect((await loadChanges(worktree)).changes).toEqual([]);
  writeFileSync(join(worktree.tree, "a.txt"), "one\ntwo\nTHREE\n");
  writeFileSync(join(worktree.tree, "secret.txt"), "y\n");
  chmodSync(join(worktree.tree, "run.sh"), 0o755);
  mkdirSync(join(worktree.tree, "src"));
  writeFileSync(join(worktree.tree, "src/new.ts"), "new\n");
  rmSync(join(worktree.tree, ".gitignore"));
  writeFileSync(join(project, "a.txt"), "ONE\ntwo\nthree\n");
  const { tree } = await loadChanges(worktree);
  expect(await createDiff(worktree, tree, { maxBytes: 200 })).toContain("diff cut");
  const part = await planMerge(worktree, { only: ["src"] });
  expect(part.writes.map(({ path }) => path)).toEqual(["src/new.ts"]);
  expect(part.left).toEqual([".gitignore", "a.txt", "run.sh", "secret.txt"]);
  await mergeWorktree(worktree, await planMerge(worktree));
  expect(read("a.txt")).toBe("ONE\ntwo\nTHREE\n");
  expect(lstatSync(join(project, "secret.txt")).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(project, "run.sh")).mode & 0o111).not.toBe(0);
  expect([read("src/new.ts"), existsSync(join(project, ".gitignore"))]).toEqual(["new\n", false]);

  writeFileSync(join(worktree.tree, "a.txt"), "theirs\n");
  writeFileSync(join(project, "a.txt"), "mine\n");
  const plan = await planMerge(worktree);
  expect(plan.conflicts).toEqual(["a.txt"]);
  await expect(mergeWorktree(worktree, plan)).rejects.toThrow("both sides changed a.txt");
  expect(read("a.txt")).toBe("mine\n");
  await removeWorktree(worktree);
  expect(listWorktrees(request("try").dataDir, project)).toEqual([]);
});

it("never writes through links, over files saved meanwhile or over ignored files", async () => {
  const { home, project, request, read } = createRepository();
  mkdirSync(join(home, "outside"));
  const worktree = await createWorktree(request("try"));
  mkdirSync(join(worktree.tree, "docs"));
  writeFileSync(join(worktree.tree, "docs/keys"), "x\n");
  symlinkSync(join(home, "outside"), join(project, "docs"));
  // Depending on the version, git reports a conflict or the write is rejected.
  const merged = planMerge(worktree).then((plan) => mergeWorktree(worktree, plan));
  await expect(merged).rejects.toThrow("Nothing was merged");
  expect(existsSync(join(home, "outside/keys"))).toBe(false);
  rmSync(join(project, "docs"));
  rmSync(join(worktree.tree, "docs"), { recursive: true });

  writeFileSync(join(worktree.tree, "a.txt"), "theirs\n");
  const plan = await planMerge(worktree);
  writeFileSync(join(project, "a.txt"), "saved meanwhile\n");
  await expect(mergeWorktree(worktree, plan)).rejects.toThrow('"a.txt" has changed in the project');
  expect(read("a.txt")).toBe("saved meanwhile\n");
  expect(execFileSync("ls", ["-A", project], { encoding: "utf8" })).not.toContain(".cairn-");
});

it("completes an interrupted merge with a committed journal, else rolls it back", async () => {
  const { project, request, read } = createRepository();
  const worktree = await createWorktree(request("try"));
  const temporary = join(project, ".a.txt.cairn-1");
  const journal = (stage: string) => {
    writeFileSync(temporary, "merged\n");
    writeFileSync(
      join(worktree.folder, "merge.json"),
      JSON.stringify({ top: project, stage, steps: [{ path: "a.txt", temporary }] }),
    );
  };
  journal("prepare");
  await finishMerge(worktree.folder);
  expect([read("a.txt"), existsSync(temporary)]).toEqual(["one\ntwo\nthree\n", false]);
  journal("commit");
  await finishMerge(worktree.folder);
  expect([read("a.txt"), existsSync(temporary)]).toEqual(["merged\n", false]);
  expect(existsSync(join(worktree.folder, "merge.json"))).toBe(false);
});

it("refuses a folder without git or commits, and a name in use", async () => {
  const { project, request } = createRepository();
  await createWorktree(request("try"));
  await expect(createWorktree(request("try"))).rejects.toThrow('"try" exists already');
  await expect(createWorktree(request("../x"))).rejects.toThrow("not a valid name");
  renameSync(join(project, ".git"), join(project, ".no-git"));
  await expect(createWorktree(request("other"))).rejects.toThrow("is not in a git repository");
});
