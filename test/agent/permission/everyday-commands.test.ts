import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandEffects } from "../../../src/agent/permission/command-effects.ts";
import { judgeCall } from "../../../src/agent/permission/judge-call.ts";
import { isSystemProgram } from "../../../src/agent/permission/permission.ts";
import type { PermissionRule } from "../../../src/agent/permission/permission-types.ts";
import { isRecoverable } from "../../../src/agent/permission/recoverable-deletion.ts";
import type { PermissionMode } from "../../../src/agent/ports/permission-mode.ts";

let root = "";
let held: string[] = [];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(homedir(), ".cairn-everyday-")));
  const write = async (path: string, text = "") => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write(".gitignore", "node_modules\ndist\nout.log\nlinked\nbig\nclone\n");
  for (const path of ["src/a.js", "src/b.js", "package.json", "list.txt"]) await write(path, "{}");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@e", ...words], { cwd: root });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  await write("src/b.js", "changed");
  await write("untracked.txt", "mine");
  await write("dist/sub/x.js", "1");
  await write("out.log", "1");
  await write("node_modules/.bin/tsc");
  await write("node_modules/.bin/wrangler");
  await write("clone/.git/HEAD", "ref: refs/heads/main");
  await symlink("../elsewhere", join(root, "linked"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function judge(
  command: string,
  {
    mode = "auto" as PermissionMode,
    isConfined = true,
    rules = [] as readonly PermissionRule[],
  } = {},
) {
  held = [];
  const hold = async (paths: readonly string[]) => void held.push(...paths);
  const effects = await commandEffects(command, {
    ...{ mode, tool: "shell", projectRoot: root, isConfined },
    isStoredInGit: (words, folder, isFirst) =>
      isRecoverable({ words, folder, isFirst, storeForUndo: hold }),
    isOfSystem: async (program) => isSystemProgram(program, process.env.PATH),
    isHarmlessRepository: async () => true,
  });
  return judgeCall(effects, rules);
}

describe("in the sandbox, mode auto", () => {
  it.each([
    "git checkout main",
    "git checkout -q -b topic",
    "git checkout -",
    "git checkout HEAD~1",
    "git reset HEAD~1",
    "git config user.email",
    "git config --get remote.origin.url",
    "git -c core.pager=cat log",
    "npx tsc --noEmit",
    "npx --yes tsc",
    "npx eslint src",
    "npx @biomejs/biome check",
    "npm exec -- eslint src",
    "pnpm exec tsc",
    "cd src && npx tsc",
    "curl -s localhost:3000",
    "curl -s -X POST -d '{}' http://127.0.0.1:8080/a?b=c",
    "PORT=3000 node server.js & sleep 1; curl -s localhost:3000; kill %1",
    ". .venv/bin/activate && pytest",
    "source .venv/bin/activate && python -m pytest",
    "PATH=$PWD/node_modules/.bin:$PATH eslint src",
    "f() { echo hi; }; f",
    "xvfb-run -a npm test",
    "watch -n 5 'npm test'",
    "[[ -f package.json ]] && echo y",
    'cd "$(git rev-parse --show-toplevel)" && npm test',
    "cat /etc/os-release",
    "rm -rf dist",
    "rm -rf dist && npm run build",
    "cd dist && rm -rf sub",
    "rm out.log",
    "truncate -s 0 out.log",
    "find . -name '*.log' -delete",
    "find src -type f -name 'a.*' -delete",
    "find . -name '*.nothing' -delete",
    "rm -f nothing-here",
    "rm src/a.js",
  ])("runs without a question: %s", async (command) => {
    expect(await judge(command)).toMatchObject({ action: "allow", needsNetwork: false });
  });

  it.each([
    "rm src/b.js",
    "rm untracked.txt",
    "rm -rf src",
    "rm -rf clone",
    "rm -rf linked/",
    "find . -name '*.txt' -delete",
    "find . -delete",
    "find src -name *.js -delete",
    "find . -name x -o ! -name '*.log' -delete",
    "find . -name '*.log' -delete -fprint src/a.js",
    "find . -name '*.log' -exec rm {} ';' -delete",
    "npm run build && find . -name '*.log' -delete",
    "find $X -name '*.log' -delete",
    "npm run build && rm -rf dist",
    "for i in 1 2; do rm -rf dist; done",
    "cd $X && rm -rf dist",
    "git checkout src",
    "git checkout src/b.js",
    "git checkout -f main",
    "git checkout main -- .",
    "git checkout '*.js'",
    "git checkout -B main HEAD~1",
    "git reset --hard",
    "git reset --har HEAD~1",
    "git -c a.b=c clean -fdx",
    "f() { rm untracked.txt; }; f",
    "eval 'rm untracked.txt'",
    "[[ -f x ]] && git clean -fdx",
    "npx --yes eslint src",
    "npx -y @biomejs/biome check",
    "npx",
    "npx tsc@latest",
    "npx @biomejs/biome@2 check",
    "npx ./tool",
    "npx -p typescript tsc",
    "npx wrangler deploy",
    "curl -s http://localhost@example.com",
    "curl -s localhost:3000 https://example.com",
    "curl -s $HOST",
    ". .venv/bin/activate && pip install x",
    "f() { curl -s https://example.com; }; f",
    "[[ -f x ]] && git push",
    "git -c core.pager=cat push",
    "PATH=.:$PATH sudo make",
    "eval 'git push'",
    "flock --timeout 1 lock git push",
    "zsh -c 'git push'",
    "strace -f env A=1 npm publish",
    "trap 'rm untracked.txt' EXIT",
    "secret-tool lookup a b",
    "cat ~/.ssh/id_rsa",
    "cat ../other/README.md",
    "[[ -f x ]] && cat ~/.ssh/id_rsa",
    "f() { echo x > ../y; }; f",
    "echo x >> .husky/pre-commit",
    "git config core.hooksPath hooks",
  ])("prompts before: %s", async (command) => {
    const judgement = await judge(command);
    expect(judgement.action).toBe("ask");
    expect(judgement.reason).not.toBe("");
  });

  it("stores ignored files before they are deleted, so that undo restores them", async () => {
    await judge("rm -rf dist");
    expect(held.sort()).toEqual(["dist", "dist/sub", "dist/sub/x.js"].map((p) => join(root, p)));
  });

  it("prompts before it deletes more than undo can restore", async () => {
    await mkdir(join(root, "big"));
    await writeFile(join(root, "big/file"), Buffer.alloc(9 * 1024 * 1024));
    expect((await judge("rm -rf big")).action).toBe("ask");
  });

  it("grants an unreadable command no network access, whatever the rules", async () => {
    const rules = [{ tool: "shell", pattern: "curl *", action: "allow" as const }];
    const command = "curl https://example.com; f() { cat .env; }; f";
    expect((await judge(command, { rules })).action).toBe("ask");
  });

  it("denies an unreadable command if a rule denies any command", async () => {
    const rules = [{ tool: "shell", pattern: "rm *", action: "deny" as const }];
    expect((await judge("f() { echo hi; }; f", { rules })).action).toBe("deny");
  });

  it("judges each word of nested starters once", async () => {
    expect((await judge(`${"env watch ".repeat(5)}git push`)).action).toBe("ask");
    expect((await judge(`watch git push ${"env watch ".repeat(1_000)}`)).action).toBe("ask");
  });

  it("never trusts a project, however it is written", async () => {
    expect((await judge("f() { cairn trust --yes; }; f")).action).toBe("deny");
  });
});

describe("in the sandbox, modes ask and plan", () => {
  it.each([
    "git config user.email",
    "git config --get remote.origin.url",
    "ps aux | grep node",
    "free -h",
    "lsof -i :3000",
    "for f in src/*.js; do echo $f; done",
    'while read l; do echo "$l"; done < src/a.js',
    "cat /etc/os-release",
  ])("reads without a question: %s", async (command) => {
    for (const mode of ["ask", "plan"] as const) {
      expect(await judge(command, { mode })).toMatchObject({ action: "allow", onlyReads: true });
    }
  });

  it.each([
    "for f in src/*.js; do rm $f; done",
    "x=../other/key; cat $x",
    "eval 'echo hi'",
    "f() { ls; }; f",
    "[[ -f x ]] && npm test",
    "LD_PRELOAD=./evil.so ls",
    "npx tsc",
    "read PATH < list.txt; ls",
    "ps auxe",
  ])("does not run unasked: %s", async (command) => {
    expect((await judge(command, { mode: "ask" })).action).toBe("ask");
    expect((await judge(command, { mode: "plan" })).action).toBe("deny");
  });
});

it.each([
  "npx tsc",
  "curl -s localhost:3000",
  ". .venv/bin/activate",
  "git -c core.pager=cat log",
  "f() { echo hi; }; f",
])("prompts without a sandbox before: %s", async (command) => {
  expect((await judge(command, { isConfined: false })).action).toBe("ask");
});
