// @module-tag long: ten repositories and all that acts in them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commitCopy } from "../../../src/agent/copies/commit-tree.ts";
import { changesOfCopy, diffOfChange } from "../../../src/agent/copies/copy-changes.ts";
import { discardCopy } from "../../../src/agent/copies/discard-copy.ts";
import { makeCopy } from "../../../src/agent/copies/make-copy.ts";
import { commitOnBranch, mergeAsCommit } from "../../../src/agent/copies/merge-as-commit.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { findChecks } from "../../../src/agent/unattended/find-checks.ts";
import { landTask } from "../../../src/agent/unattended/land-task.ts";
import { signOfTree } from "../../../src/agent/unattended/tree-sign.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { isCairnError } from "../../../src/shared/errors.ts";
import { patiently } from "../../support/patiently.ts";
import { runs } from "../../support/runs.ts";
import { everything } from "./support/everything.ts";
import { hostileRepository, TRICKS } from "./support/hostile-repository.ts";
import { task, write } from "./support/night-bench.ts";

const REPOSITORIES = runs(10);

/** What git itself may say no to, as long as it is said. */
async function orToldWhyNot(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!isCairnError(error)) throw error;
  });
}

it(
  `nothing of ${REPOSITORIES} hostile repositories acts outside of a copy, from its making to its end`,
  async () => {
    const used = new Set<string>();
    for (let number = 0; number < REPOSITORIES; number += 1) {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-hostile-")));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const project = join(root, "project");
      const outside = join(root, "outside");
      mkdirSync(project);
      mkdirSync(outside);
      for (const name of hostileRepository({ project, outside }, number)) used.add(name);
      // The preparation itself may have set something off.
      for (const name of readdirSync(outside)) {
        if (/^mark-\d+-\d+$/.test(name)) rmSync(join(outside, name));
      }
      const [beforeOutside, beforeProject] = [everything(outside), everything(project)];

      const copy = await makeCopy({
        project,
        dataDir: join(root, "data"),
        name: "n",
        clock: systemClock,
      });
      const second =
        number % 10 !== 0
          ? copy
          : await makeCopy({
              ...{ project, dataDir: join(root, "data"), name: "m" },
              clock: systemClock,
              onto: [copy],
            });
      write(copy.tree, "list.txt", "begin\nmore\n");
      write(copy.tree, "new/deep.txt", "new\n");
      await signOfTree(copy.tree);
      for (const change of await changesOfCopy(copy)) diffOfChange(change);
      const settings = agentSettings.parse({});
      const asked = { project: copy.tree, given: [], ofFile: [], settings };
      expect(findChecks({ ...asked, isTrusted: false })).toEqual([]);
      await landTask(copy, task("1"), { land: "copy", inPlace: false });
      expect([number, everything(project), everything(outside)]).toEqual([
        number,
        beforeProject,
        beforeOutside,
      ]);

      // What a person takes over is in the project, and sets nothing off.
      await orToldWhyNot(() => commitCopy(copy, { message: "Look" }));
      await orToldWhyNot(() => commitOnBranch(copy, { branch: "cairn/n", message: "On a branch" }));
      await orToldWhyNot(() => mergeAsCommit(copy, { message: "Take over" }));
      discardCopy(second);
      discardCopy(copy);
      expect([number, everything(outside)]).toEqual([number, beforeOutside]);
      expect(readFileSync(join(project, "list.txt"), "utf8")).toMatch(/^begin\n/);
    }
    expect(used.size).toBe(TRICKS.length);
  },
  patiently(60_000) * REPOSITORIES,
);

it(
  "the tricks work where nobody takes care",
  () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-hostile-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const worked: string[] = [];
    for (const [index, { name, make }] of TRICKS.entries()) {
      const [project, outside] = [join(root, `p${index}`), join(root, `o${index}`)];
      mkdirSync(project);
      mkdirSync(outside);
      const git = (...args: string[]) => {
        try {
          execFileSync("git", args, { cwd: project, stdio: "ignore", timeout: 10_000 });
        } catch (error) {
          // A trick may make git fail once it has done its work.
          expect(error).toBeInstanceOf(Error);
        }
      };
      git("init", "-q", "-b", "main");
      git("config", "user.name", "Eve");
      git("config", "user.email", "eve@example.com");
      write(project, "list.txt", "begin\n");
      git("add", "list.txt");
      git("commit", "-qm", "Begin");
      make({ project, outside }, "mark");
      write(project, "list.txt", "more\n");
      git("add", "-A");
      git("commit", "-qm", "More");
      git("diff", "HEAD~1");
      git("checkout", "-q", "-b", "other", "HEAD~1");
      git("merge", "-q", "main");
      if (readdirSync(outside).includes("mark")) worked.push(name);
    }
    expect(worked.length).toBeGreaterThanOrEqual(12);
  },
  patiently(60_000),
);
