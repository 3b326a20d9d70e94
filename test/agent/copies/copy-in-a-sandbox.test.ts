// @module-tag long: a sandbox in each case.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyAt } from "../../../src/agent/copies/copy-place.ts";
import { openSandboxBench, whyNoSandbox } from "../support/sandbox-bench.ts";

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
    ...{ cwd, encoding: "utf8" as const },
  });

const reason = await whyNoSandbox();

describe("a copy in a sandbox", () => {
  test.skipIf(reason !== undefined)(
    "reads what was committed in the project, in the home folder too, and nothing else of it",
    async () => {
      const bench = await openSandboxBench({
        inCopy: true,
        // The home folder holds the project and the copies.
        homeHoldsAll: true,
        prepare: async (project) => {
          git(project, "init", "-q", "-b", "main");
          writeFileSync(join(project, "list.txt"), "one\n");
          git(project, "add", ".");
          git(project, "commit", "-qm", "Begin here");
        },
      });
      const { project, origin, run } = bench;
      expect(copyAt(join(bench.folder, "data"), project)?.project).toBe(origin);
      expect(await run("git log --format=%s; git status --short; git show HEAD:list.txt")).toBe(
        "Begin here\none\n",
      );
      const commit = "echo two >> list.txt; git commit -qam Second; git log --format=%s";
      const name = "export GIT_AUTHOR_NAME=n GIT_COMMITTER_NAME=n EMAIL=e@example.com";
      expect(await run(`${name}; ${commit}`)).toContain("Second\nBegin here");
      const tries = `cat ${origin}/list.txt ${origin}/.git/HEAD; echo x > ${origin}/.git/objects/x; echo x > ${origin}/list.txt`;
      expect(await run(`${tries}; true`)).not.toMatch(/^(one|ref:)/m);
      expect(readFileSync(join(origin, "list.txt"), "utf8")).toBe("one\n");
      expect(existsSync(join(origin, ".git/objects/x"))).toBe(false);
      expect(git(origin, "log", "--format=%s")).toBe("Begin here\n");
    },
    120_000,
  );
});
