import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disableFilters, gitOutputSync, readGitOutput } from "../../src/shared/safe-git.ts";
import { temporaryFolder } from "../support/memory-server.ts";

const timeout = 10_000;

function harmfulRepository() {
  const root = temporaryFolder();
  const mark = join(root, "..", `ran-${root.split("/").at(-1)}`);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
  git("init", "-q");
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  writeFileSync(join(root, "a.txt"), "a\n");
  writeFileSync(join(root, ".gitattributes"), "* diff=evil filter=evil\n");
  git("add", "-A");
  git("commit", "-qm", "x");
  writeFileSync(join(root, "a.txt"), "b\n");
  const evil = join(root, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 });
  for (const name of [
    ...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"],
    ...["diff.external", "diff.evil.command", "diff.evil.textconv", "gpg.program"],
    ...["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "credential.helper"],
  ]) {
    git("config", name, evil);
  }
  git("config", "log.showSignature", "true");
  git("config", "commit.gpgSign", "true");
  const hooks = join(root, "hooks");
  mkdirSync(hooks);
  for (const name of [
    "pre-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
  ]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\necho "$0" >> ${mark}\n`, { mode: 0o755 });
  }
  git("config", "core.hooksPath", hooks);
  return { root, mark };
}

it.each([
  [["status", "--porcelain"]],
  [["diff"]],
  [["diff", "HEAD"]],
  [["log", "-p"]],
  [["show", "HEAD"]],
  [["blame", "a.txt"]],
  [["ls-files", "-m"]],
  [["add", "-A"]],
  [["commit", "-qam", "y"]],
  [["checkout", "-q", "-b", "z"]],
  [["ls-remote", "ext::sh -c true"]],
])("runs no program of the repository: git %j", async (args) => {
  const { root, mark } = harmfulRepository();
  const config = await disableFilters(root);
  await readGitOutput(args, { cwd: root, config, timeout }).catch(() => "");
  expect(existsSync(mark)).toBe(false);
});

it("ignores a repository set by the environment", () => {
  const [one, other] = [harmfulRepository().root, harmfulRepository().root];
  process.env.GIT_DIR = join(other, ".git");
  try {
    expect(gitOutputSync(["rev-parse", "--show-toplevel"], { cwd: one })?.trim()).toBe(one);
  } finally {
    delete process.env.GIT_DIR;
  }
});

it("returns undefined if git fails", () => {
  expect(gitOutputSync(["rev-parse", "HEAD"], { cwd: temporaryFolder() })).toBeUndefined();
});
