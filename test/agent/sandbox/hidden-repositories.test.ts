import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ProjectGuard } from "../../../src/agent/sandbox/project-guard.ts";

/** Creates a project with a guard, and a program that records when git runs it. */
async function createGuardedProject(prepare: (root: string) => void = () => undefined) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-hidden-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, caches] = [join(folder, "project"), join(folder, "caches")];
  for (const path of [root, join(root, "sub"), caches]) mkdirSync(path);
  git(root, "init", "-q", "-b", "main");
  git(root, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "x");
  const evil = join(folder, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch '${folder}/ran'\n`, { mode: 0o755 });
  prepare(root);
  const guard = new ProjectGuard(
    { root, elsewhere: [caches], asideFolder: join(folder, "aside") },
    () => undefined,
    () => undefined,
  );
  await guard.before();
  return {
    ...{ folder, root, caches, evil, guard },
    hasRun: () => existsSync(join(folder, "ran")),
  };
}

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync("git", words, { cwd, stdio: "ignore" });
}

function makeRepository(at: string, { root, evil }: { root: string; evil: string }): void {
  mkdirSync(dirname(at), { recursive: true });
  git(root, "init", "-q", "--bare", at);
  git(at, "config", "core.bare", "false");
  git(at, "config", "core.worktree", join(root, "sub"));
  git(at, "config", "core.fsmonitor", evil);
}

function statusIn(folder: string): void {
  try {
    git(folder, "status");
  } catch {
    // Expected: a quarantined repository is not a repository for git.
  }
}

it.each([
  [".git/objects/evil", "../.git/objects/evil"],
  [".git/info/evil", "../.git/info/evil"],
  [".git/refs/evil", "../.git/refs/evil"],
  [".git/objects/ab/evil", "../.git/objects/ab/evil"],
  ["node_modules/a/b/c/evil", "../node_modules/a/b/c/evil"],
  ["../caches/evil", "../../caches/evil"],
  [".git/objects/evil", "../link/evil"],
  ["../caches/evil", "../out/evil"],
])("a repository in %s, named by `gitdir: %s`, makes git run nothing", async (at, named) => {
  const fixture = await createGuardedProject();
  makeRepository(join(fixture.root, at), fixture);
  symlinkSync(".git/objects", join(fixture.root, "link"));
  symlinkSync(fixture.caches, join(fixture.root, "out"));
  writeFileSync(join(fixture.root, "sub/.git"), `gitdir: ${named}\n`);
  expect((await fixture.guard.after()).join()).toMatch(/sub\/\.git|config/);
  statusIn(join(fixture.root, "sub"));
  expect(fixture.hasRun()).toBe(false);
});

it("a repository in a cache is not reached by a link to a folder of it", async () => {
  const fixture = await createGuardedProject();
  const tree = join(fixture.caches, "tree");
  mkdirSync(join(tree, "below"), { recursive: true });
  git(tree, "init", "-q");
  git(tree, "config", "core.fsmonitor", fixture.evil);
  symlinkSync(join(tree, "below"), join(fixture.root, "lib"));
  await fixture.guard.after();
  expect(existsSync(join(fixture.root, "lib"))).toBe(false);
});

it("links to caches without a repository stay", async () => {
  const fixture = await createGuardedProject();
  mkdirSync(join(fixture.caches, "bazel/out"), { recursive: true });
  symlinkSync(join(fixture.caches, "bazel/out"), join(fixture.root, "bazel-out"));
  expect(await fixture.guard.after()).toEqual([]);
});

it("quarantines a forged rebase state, and keeps a real one", async () => {
  const fixture = await createGuardedProject();
  const state = join(fixture.root, ".git/rebase-merge");
  mkdirSync(state);
  writeFileSync(join(state, "git-rebase-todo"), "pick 1234567 fix: exec the query\n");
  expect(await fixture.guard.after()).toEqual([]);
  await fixture.guard.before();
  writeFileSync(join(state, "git-rebase-todo"), `exec ${fixture.evil}\n`);
  await fixture.guard.after();
  expect(existsSync(state)).toBe(false);
});

it.each([".cairn", ".github", "gradle", ".vscode"])(
  "does not hide a protected file behind a link named %s",
  async (name) => {
    const fixture = await createGuardedProject();
    mkdirSync(join(fixture.root, "real/workflows"), { recursive: true });
    symlinkSync("real", join(fixture.root, name));
    await fixture.guard.after();
    expect(existsSync(join(fixture.root, name))).toBe(false);
    expect(existsSync(join(fixture.root, "real"))).toBe(true);
  },
);

it("keeps a user's link until a command changes its target", async () => {
  const fixture = await createGuardedProject((root) => {
    mkdirSync(join(root, "editor"));
    symlinkSync("editor", join(root, ".vscode"));
  });
  expect(await fixture.guard.after()).toEqual([]);
  await fixture.guard.before();
  rmSync(join(fixture.root, ".vscode"));
  symlinkSync("sub", join(fixture.root, ".vscode"));
  expect((await fixture.guard.after()).join()).toContain(".vscode");
});

it("keeps hooks named by the config of a nested repository", async () => {
  const fixture = await createGuardedProject((root) => {
    git(root, "init", "-q", "nested");
    git(join(root, "nested"), "config", "core.hooksPath", "scripts/hooks");
  });
  await fixture.guard.after();
  const hooks = join(fixture.root, "nested/scripts/hooks");
  mkdirSync(hooks, { recursive: true });
  expect(await fixture.guard.before()).toContain(hooks);
});
