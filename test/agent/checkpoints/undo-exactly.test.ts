import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { scaleRuns } from "../../support/scale-runs.ts";
import type { ScriptedAnswer } from "../../support/scripted-model.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";
import { listTree } from "./tree-hash.ts";

let harness: Harness;
afterEach(() => harness.close());

const shell = (command: string): ScriptedAnswer => ({
  toolCalls: [{ name: "shell", args: { command } }],
});
const sh = (command: string): string =>
  execFileSync("sh", ["-c", command], { cwd: harness.projectRoot, encoding: "utf8" });
const GIT = "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false";
const PROJECT = `
  ${GIT} init -q -b main; echo one > a.txt; mkdir -p d/sub empty; echo in > d/x; echo deep > d/sub/y
  ln -s a.txt link; ln -s d folder-link; printf '.env\\n*.log\\nbuild/\\n' > .gitignore
  echo KEY=1 > .env; echo old > run.log; mkdir build; echo built > build/out; chmod 750 d
  printf '\\000\\377' > binary; echo '#!' > run.sh; chmod 755 run.sh
  ${GIT} add -A; ${GIT} commit -qm first; echo staged > staged; ${GIT} add staged
  echo kept > stashed; ${GIT} add stashed; ${GIT} stash push -q -- stashed; ${GIT} branch other`;
const standing = () =>
  sh(
    "git symbolic-ref -q HEAD || git rev-parse HEAD; git for-each-ref refs/heads refs/tags refs/stash; git ls-files --stage; git stash list",
  );
const messages = () =>
  harness.events.flatMap((event) => {
    if (event.type === "error") return [event.message];
    return event.type === "status" && event.message !== undefined ? [event.message] : [];
  });

async function command(text: string): Promise<string[]> {
  const before = messages().length;
  await harness.host.send("t", text);
  await harness.waitFor(
    () => messages().length > before && harness.host.list()[0]?.isBusy === false,
  );
  return messages().slice(before);
}

async function play(...commands: string[]): Promise<void> {
  harness = await startHarness({ answers: [...commands.map(shell), { text: "done" }] });
  sh(PROJECT);
}

describe("changes by commands are undone and redone byte for byte:", () => {
  it.each([
    ["an edit", "echo two > a.txt"],
    ["a deletion", "rm a.txt binary run.sh"],
    ["an emptied file", ": > a.txt"],
    ["a changed binary", "printf '\\001' > binary"],
    ["rights", "chmod 600 run.sh; chmod 444 a.txt"],
    ["a new file in a new folder", "mkdir -p new/deep; echo x > new/deep/f"],
    ["odd names", "echo x > 'a b\"c'; echo y > -n; echo z > \"$(printf 'new\\nline')\""],
    ["a link removed", "rm link folder-link"],
    ["a link turned elsewhere", "ln -sfn run.sh link"],
    ["a link made", "ln -s /etc/hostname made"],
    ["a link to nothing", "ln -s nowhere made"],
    ["a link replaced by a file", "rm link; echo x > link"],
    ["a file replaced by a link", "rm a.txt; ln -s binary a.txt"],
    ["a file turned folder", "rm a.txt; mkdir a.txt; echo x > a.txt/f"],
    ["a folder turned file", "rm -r d; echo x > d"],
    ["a folder turned link", "mv d e; ln -s e d"],
    ["a folder removed", "rm -r d"],
    ["a folder moved", "mv d moved"],
    ["an empty folder removed", "rmdir empty"],
    ["an empty folder made", "mkdir -p made/inner"],
    ["an empty folder turned file", "rmdir empty; echo x > empty"],
    ["rights of a folder", "chmod 700 d; chmod 711 empty"],
    ["a small ignored file", "echo KEY=2 > .env"],
    ["ignored files removed", "rm .env run.log"],
    ["an ignored folder removed", "rm -rf build"],
    ["an ignored folder removed and made again", "rm -rf build; mkdir build; echo new > build/out"],
  ])("%s", async (_name, deed) => {
    await play(deed);
    const before = listTree(harness.projectRoot);
    await harness.say("go");
    const after = listTree(harness.projectRoot);
    expect(after).not.toEqual(before);
    await command("/undo");
    expect(listTree(harness.projectRoot)).toEqual(before);
    await command("/redo");
    expect(listTree(harness.projectRoot)).toEqual(after);
  });

  it.each([
    ["a commit", `echo two > a.txt; ${GIT} commit -qam two`],
    ["a hard reset over staged work", "git reset -q --hard"],
    ["a branch made and checked out", "git checkout -q -b topic"],
    ["a branch removed", "git branch -D other"],
    ["a stash dropped", "git stash drop -q"],
    ["work stashed", `${GIT} stash -q`],
    ["all staged", "echo n > n; git add -A"],
    ["a detached head", "git checkout -q --detach"],
    [
      "a rebase that stopped at a conflict",
      `echo x > a.txt; ${GIT} commit -qam x; git checkout -q -b two HEAD~1; echo y > a.txt; ${GIT} commit -qam y; ${GIT} rebase -q main 2>/dev/null; true`,
    ],
    [
      "a commit, a stash and staged files that `git gc` would remove",
      `git reset -q --hard; ${GIT} commit -q --amend -m other; git stash drop -q; git branch -q -D other
      git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now`,
    ],
  ])("git: %s", async (_name, deed) => {
    await play(deed);
    const [before, stood] = [listTree(harness.projectRoot), standing()];
    await harness.say("go");
    expect(standing()).not.toBe(stood);
    await command("/undo");
    expect(standing()).toBe(stood);
    expect(listTree(harness.projectRoot)).toEqual(before);
    sh("git fsck --no-dangling");
    expect(sh("git for-each-ref refs/cairn")).toBe("");
    expect(sh("git status")).not.toMatch(/rebas/);
  });

  it("no reference of cairn remains after commands that leave git alone", async () => {
    await play("echo two > a.txt; git for-each-ref refs/cairn > seen.log");
    await harness.say("go");
    expect(readFileSync(join(harness.projectRoot, "seen.log"), "utf8")).toContain(
      "refs/cairn/undo/",
    );
    expect(sh("git for-each-ref refs/cairn")).toBe("");
  });

  it.each([
    ["", `echo two > l && ${GIT} commit -qam two`],
    [
      " whose commit `git gc` would remove",
      `echo two > l; ${GIT} commit -q --amend -am two; git update-ref -d refs/remotes/origin/main
      git update-ref -d refs/remotes/origin/HEAD; rm -f ../.git/modules/sub/ORIG_HEAD
      git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now`,
    ],
  ])("git in a submodule%s", async (_name, deed) => {
    await play(`cd sub && ${deed}`);
    sh(`git init -q -b main ../library; cd ../library; echo l > l; git add l; ${GIT} commit -qm l
      cd "$OLDPWD"; git -c protocol.file.allow=always submodule --quiet add ../library sub
      ${GIT} commit -qm "Add the library"`);
    const stood = sh("git -C sub log --oneline; git -C sub status --short; git status --short");
    await harness.say("go");
    await command("/undo");
    expect(sh("git -C sub log --oneline; git -C sub status --short; git status --short")).toBe(
      stood,
    );
    expect(sh("git -C sub fsck --no-dangling; git -C sub for-each-ref refs/cairn")).toBe("");
  });
});

describe("changes that are not undone are named:", () => {
  it.each([
    ["an ignored folder", "echo x > build/out", "build"],
    ["a nested repository", "mkdir n; git -C n init -q", "n/.git"],
    ["commands without a sandbox", "echo x > a.txt", "outside of the project"],
    ["a name that is not UTF-8", "mv a.txt \"$(printf 'a\\377.txt')\"", "aÿ.txt"],
    ["a change of such a file", "echo x > \"$(printf 'b\\377.txt')\"", "bÿ.txt"],
  ])("%s", async (_name, deed, named) => {
    await play(deed);
    await harness.say("go");
    expect((await command("/undo")).join("\n")).toContain(named);
  });

  it("files that a command writes after the turn", async () => {
    const later = "echo early > early; while [ ! -e go ]; do sleep 0.05; done; echo late > late";
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "shell", args: { command: later, background: true } }] },
        { toolCalls: [{ name: "shell", args: { command: "until [ -e early ]; do :; done" } }] },
        { text: "done" },
      ],
    });
    sh(PROJECT);
    await harness.say("go");
    sh("touch go; until [ -e late ]; do sleep 0.05; done");
    const reply = (await command("/undo")).join("\n");
    expect(reply).toMatch(/Changed after that message.*: .*late/);
    expect(existsSync(join(harness.projectRoot, "late"))).toBe(true);
    expect(existsSync(join(harness.projectRoot, "early"))).toBe(false);
  });

  it.each([
    ["a commit", `echo two > a.txt; ${GIT} commit -qam two`, true],
    ["a hard reset over staged work", "git reset -q --hard", true],
    ["a branch", "git branch more", true],
    ["a stash", `${GIT} stash -q`, true],
    ["nothing of git", "echo two > a.txt; git status; git diff", false],
  ])("git in a linked worktree, after %s", async (_name, deed, isNamed) => {
    harness = await startHarness({ answers: [shell(deed), { text: "done" }] });
    const main = `${harness.projectRoot}-main`;
    sh(`mkdir ${main}; cd ${main}; ${PROJECT}
      git worktree add -q -b linked ${harness.projectRoot}; cd ${harness.projectRoot}
      echo staged too > d/x; git add d/x`);
    const before = listTree(harness.projectRoot);
    await harness.say("go");
    const reply = (await command("/undo")).join("\n");
    expect(reply.includes("repository of this linked worktree")).toBe(isNamed);
    expect(listTree(harness.projectRoot)).toEqual(before);
  });

  it("commits that git no longer has", async () => {
    await play(
      `${GIT} for-each-ref --format='delete %(refname)' refs/cairn | git update-ref --stdin
      echo two > a.txt; ${GIT} commit -q --amend -am other; git stash drop -q
      git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now`,
    );
    await harness.say("go");
    expect((await command("/undo")).join("\n")).toMatch(/the state of git.*no longer has/);
    sh("git fsck --no-dangling; git log --oneline");
    expect(readFileSync(join(harness.projectRoot, "a.txt"), "utf8")).toBe("one\n");
  });

  it("a git repository that the user changed", async () => {
    await play(`echo two > a.txt; ${GIT} commit -qam two`);
    await harness.say("go");
    sh(`${GIT} commit -q --allow-empty -m mine`);
    const stood = standing();
    expect((await command("/undo")).join("\n")).toContain("the state of git");
    expect(standing()).toBe(stood);
    expect(readFileSync(join(harness.projectRoot, "a.txt"), "utf8")).toBe("one\n");
  });

  it("an unreadable turn record, which is kept", async () => {
    await play("echo two > a.txt");
    await harness.say("go");
    const [project = ""] = readdirSync(join(harness.dataDir, "checkpoints"));
    const folder = join(harness.dataDir, "checkpoints", project);
    writeFileSync(join(folder, "turns/t.json"), "{ half");
    expect((await command("/undo")).join("\n")).toContain("cannot be read");
    expect(readdirSync(join(folder, "broken"))).toHaveLength(1);
    expect(existsSync(join(folder, "turns/t.json"))).toBe(false);
  });
});

const NAMES = ["p", "q", "p/r", "q/s", "p/r/t"];
const deed = fc
  .tuple(fc.constantFrom(...NAMES), fc.nat(6), fc.constantFrom(...NAMES))
  .map(
    ([path, kind, other]) =>
      [
        `mkdir -p ${path}`,
        `echo ${kind}${other} > ${path}`,
        `rm -rf ${path}`,
        `rm -rf ${path}; ln -s ${other} ${path}`,
        `mv ${path} ${other}`,
        `chmod 700 ${path}`,
        `rm -rf ${path}; mkdir -p ${path}; echo ${other} > ${path}/u`,
      ][kind] ?? "",
  );

it("undoes random work of commands byte for byte", { tags: ["long"] }, async () => {
  harness = await startHarness();
  let next = "";
  harness.model.respond(({ body }) =>
    body.messages.at(-1)?.role === "tool" ? { text: "done" } : shell(next),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 8 }),
      fc.array(deed, { minLength: 1, maxLength: 8 }),
      async (earlier, later) => {
        sh(`rm -rf p q; (${["true", ...earlier].join("; ")}) 2>/dev/null; true`);
        const before = listTree(harness.projectRoot);
        next = `(${later.join("; ")}) 2>/dev/null; true`;
        await harness.say("go");
        await command("/undo");
        expect(listTree(harness.projectRoot)).toEqual(before);
      },
    ),
    { numRuns: scaleRuns(20), endOnFailure: true },
  );
});
