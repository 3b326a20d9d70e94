import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeCopy } from "../../src/agent/copies/make-copy.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { setStage } from "./support/stage.ts";

const stage = setStage();

/** A terminal in a copy of a repository, in which a file was changed and one was made. */
async function inCopy() {
  const { project, dataDir } = stage;
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: project, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  writeFileSync(join(project, "pay.ts"), "retries = 3\n");
  git("add", ".");
  git("commit", "-qm", "Begin");
  const copy = await makeCopy({ project, dataDir, name: "try", clock: systemClock });
  writeFileSync(join(copy.tree, "pay.ts"), "retries = 5\n");
  writeFileSync(join(copy.tree, "new.ts"), "new\n");
  const terminal = stage.start({ copy }, { cwd: copy.tree });
  await terminal.waitFor("scripted");
  terminal.type("/merge\r");
  await terminal.waitFor("c as a commit");
  await terminal.settle();
  return { terminal, project, git };
}

it("/merge takes the copy over as a commit by the key c, with the words that the person types", {
  tags: ["long"],
}, async () => {
  const { terminal, project, git } = await inCopy();
  expect(terminal.all).toContain("+retries = 5");
  terminal.type("c");
  await terminal.settle();
  expect(git("log", "--format=%s")).toBe("Begin\n");
  terminal.type("\r");
  await terminal.waitFor("What does the commit say?");
  await terminal.settle();
  terminal.type("Try five times\r");
  await terminal.waitFor(/✓ Took it over into/);
  expect(git("log", "--format=%s%n%an")).toBe("Try five times\nAda\nBegin\nAda\n");
  expect(git("show", "--format=", "--name-only", "HEAD")).toBe("new.ts\npay.ts\n");
  expect(git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(project, "pay.ts"), "utf8")).toBe("retries = 5\n");
  const [made] = git("rev-parse", "--short=10", "HEAD").split("\n");
  expect(terminal.all.replace(/\s+/g, " ")).toContain(`as the commit ${made}.`);
});

it("/merge commits nothing where the person gives the commit no words", async () => {
  const { terminal, project, git } = await inCopy();
  terminal.type("c\r");
  await terminal.waitFor("What does the commit say?");
  await terminal.settle();
  terminal.type("\x1b");
  await terminal.waitFor("Stopped.");
  expect(git("log", "--format=%s")).toBe("Begin\n");
  expect(readFileSync(join(project, "pay.ts"), "utf8")).toBe("retries = 3\n");
});
