import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { createWorktree } from "../../src/agent/worktrees/worktree.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { createConfigFolders } from "../config/config-folders.ts";

it("shows link targets and one path per line before confirming a merge", async () => {
  const { cwd, home, env } = createConfigFolders();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd,
    });
  git("init", "-q");
  git("commit", "-qm", "first", "--allow-empty");
  mkdirSync(join(home, "keys"));
  const dataDir = join(home, ".local", "share", "cairn");
  const project = realpathSync(cwd);
  const { tree } = await createWorktree({ name: "try", project, dataDir, clock: systemClock });
  symlinkSync(join(home, "keys"), join(tree, "docs"));
  symlinkSync("docs/x", join(tree, "deep"));
  writeFileSync(join(tree, "a\nremove b"), "");
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = Object.assign(Readable.from(["n\n"]), { isTTY: true });
  const line = { env, cwd, stdin, stdout, stderr, logger: silentLogger, furtherOperations: [] };
  const code = await runCommandLine(["worktree", "merge", "try"], line);
  const output = String(stderr.read());
  expect(output.split("\n").slice(0, 3)).toEqual([
    "write a\\nremove b",
    "write deep → docs/x",
    `write docs → ${realpathSync(join(home, "keys"))}`,
  ]);
  expect(output).toContain(`Merge 3 files into ${project}?`);
  expect(code).toBe(1);
});
