// @module-tag long: git and programs that log in, behind a broker.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { gitRemotes } from "../../../src/agent/broker/git-remotes.ts";
import { KeyBroker } from "../../../src/agent/broker/key-broker.ts";
import { auditFile, readAudit } from "../../../src/agent/index.ts";
import { waysToConfine } from "../support/sandbox-bench.ts";
import { startHarness } from "../support/thread-harness.ts";
import { openBrokeredBench } from "./support/brokered-bench.ts";

const SECRET = "sekret-private-key-1234";
const HOST = "git@example.test";

/** A home folder with a key and an ssh that needs it: it runs what it is told in the folder that it serves. */
async function place() {
  const folder = await mkdtemp(join(homedir(), ".cairn-ssh-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
      ...{ cwd, encoding: "utf8", stdio: "pipe" },
    });
  const [served, home, log] = [
    join(folder, "served"),
    join(folder, "home"),
    join(folder, "ssh.log"),
  ];
  await mkdir(join(served, "me"), { recursive: true });
  await mkdir(join(home, ".ssh"), { recursive: true });
  for (const name of ["project", "other"]) git(served, "init", "-q", "--bare", `me/${name}.git`);
  await writeFile(join(home, ".ssh/id_rsa"), SECRET);
  await writeFile(log, "");
  const ssh = join(folder, "ssh");
  await writeFile(
    ssh,
    `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\ngrep -q ${SECRET} "$HOME/.ssh/id_rsa" || exit 255\n` +
      `for last; do :; done\ncd '${served}' && exec sh -c "$last"\n`,
  );
  await chmod(ssh, 0o755);
  await writeFile(join(home, ".gitconfig"), `[core]\n\tsshCommand = ${ssh}\n`);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const fillProject = (project: string) => {
    git(project, "init", "-q", "-b", "main");
    git(project, "remote", "add", "origin", `${HOST}:me/project.git`);
    git(project, "commit", "-q", "--allow-empty", "-m", "first");
  };
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  const started = async () => (await readFile(log, "utf8")).split("\n").filter(Boolean);
  return { folder, home, served, git, fillProject, environment, started };
}

async function openBroker() {
  const at = await place();
  const project = join(at.folder, "project");
  await mkdir(project);
  at.fillProject(project);
  const uses: string[] = [];
  const broker = await KeyBroker.open({
    ...{ projectRoot: project, environment: at.environment },
    onUse: async (use) => void uses.push(use),
  });
  if (broker === undefined) throw new Error("There is nothing to log in to.");
  onTestFinished(() => broker.close());
  const addressOf = (command: string) =>
    /url\.(http:\/\/localhost:\d+\/\w+\/git)\//.exec(broker.lend(command)?.before ?? "")?.[1] ?? "";
  const ask = async (address: string, path: string, origin = `ssh://${HOST}`) =>
    (await fetch(`${address}/${encodeURIComponent(origin)}/${path}`)).status;
  return { ...at, project, broker, uses, addressOf, ask };
}

const FETCHES = "info/refs?service=git-upload-pack";
const PUSHES = "info/refs?service=git-receive-pack";

it("reaches over ssh the project's remotes alone, pushes only for a push, and starts nothing else", async () => {
  const { addressOf, ask, started, uses, git, project } = await openBroker();
  const address = addressOf("git fetch");
  expect(await ask(address, `me/project.git/${FETCHES}`)).toBe(200);
  expect(await started()).toEqual([
    `-o BatchMode=yes -o SendEnv=GIT_PROTOCOL ${HOST} git-upload-pack 'me/project.git'`,
  ]);
  const refused = [
    `me/project.git/${PUSHES}`,
    `me/other.git/${FETCHES}`,
    `me/project.git/../other.git/${FETCHES}`,
    `me/project.git%27;touch+x;%27/${FETCHES}`,
    "me/project.git/info/refs?service=git-upload-archive",
    "me/project.git/info/refs",
    "me/project.git/objects/info/packs",
    "me/project.git/git-upload-archive",
  ];
  for (const path of refused) expect([path, await ask(address, path)]).toEqual([path, 403]);
  const elsewhere = [
    `ssh://git@evil.test`,
    `ssh://root@example.test`,
    `ssh://${HOST}:2222`,
    "ssh://-oProxyCommand=touch x",
    "ext::sh -c touch% x",
    "file:///etc",
  ];
  for (const origin of elsewhere) {
    expect([origin, await ask(address, `me/project.git/${FETCHES}`, origin)]).toEqual([
      origin,
      403,
    ]);
  }
  // What the agent adds later is no remote that the person had.
  git(project, "remote", "add", "evil", `${HOST}:me/other.git`);
  expect(await ask(addressOf("git fetch evil"), `me/other.git/${FETCHES}`)).toBe(403);
  expect(await started()).toHaveLength(1);
  expect(await ask(addressOf("git push"), `me/project.git/${PUSHES}`)).toBe(200);
  expect(uses).toEqual([
    `git fetch from ssh://${HOST}/me/project.git`,
    `git push to ssh://${HOST}/me/project.git`,
  ]);
});

it("says what ssh said where it gets no answer", async () => {
  const { addressOf, home } = await openBroker();
  await writeFile(join(home, ".ssh/id_rsa"), "none");
  const url = `${addressOf("git fetch")}/${encodeURIComponent(`ssh://${HOST}`)}/me/project.git`;
  const answer = await fetch(`${url}/${FETCHES}`);
  expect([answer.status, await answer.text()]).toEqual([403, "ssh: it ended without an answer\n"]);
});

test.each([
  ["git@example.test:me/p.git", "ssh://git@example.test", "me/p.git", undefined],
  ["ssh://git@example.test:2222/me/p.git", "ssh://git@example.test:2222", "/me/p.git", "2222"],
  ["ssh://example.test/~me/p.git", "ssh://example.test", "~me/p.git", undefined],
  ["work:/srv/p.git", "ssh://work", "/srv/p.git", undefined],
])("reads the address %s", async (url, origin, path, port) => {
  const { project, git } = await openBroker();
  git(project, "remote", "set-url", "origin", url);
  const { remotes } = await gitRemotes(project);
  expect(remotes.map((one) => [one.origin, one.ssh?.path, one.ssh?.port])).toEqual([
    [origin, path, port],
  ]);
});

test.each([
  "-oProxyCommand=evil:me/p.git",
  "ssh://-oProxyCommand=evil/me/p.git",
  "git@-oProxyCommand=evil:p.git",
  "git@example.test:--upload-pack=evil",
  "ext::sh -c evil",
  "fd::17",
  "../elsewhere",
  "file:///srv/p.git",
])("takes %s for no remote that it reaches", async (url) => {
  const { project, git } = await openBroker();
  git(project, "config", "remote.origin.url", url);
  expect(await gitRemotes(project)).toEqual({ remotes: [], hasOthers: true });
});

it("goes by the addresses that the person's own config makes of others", async () => {
  const { project, git, home } = await openBroker();
  const config = await readFile(join(home, ".gitconfig"), "utf8");
  await writeFile(
    join(home, ".gitconfig"),
    `${config}[url "${HOST}:"]\n\tinsteadOf = https://example.test/\n`,
  );
  git(project, "remote", "set-url", "origin", "https://example.test/me/project.git");
  const { remotes } = await gitRemotes(project);
  expect(remotes).toEqual([
    {
      written: "https://example.test/me/project.git",
      origin: `ssh://${HOST}`,
      path: "/me/project",
      ssh: { destination: HOST, path: "me/project.git" },
    },
  ]);
});

it("is lent to commands in which nothing else runs than what reads and logs in", async () => {
  const { broker } = await openBroker();
  const lent = [
    "git push",
    "cd sub && git push origin main",
    "git add -A && git commit -m x && git push 2>&1 | tail -5",
    "timeout 60 git fetch",
    "(cd sub; git pull --rebase)",
    "for r in origin; do git fetch $r; done",
  ];
  for (const command of lent)
    expect([command, broker.lend(command) !== undefined]).toEqual([command, true]);
  const not = [
    "npm test && git push",
    "./build.sh; git push",
    "npm install && git push",
    "git push & ./evil",
    "echo $(./evil) && git push",
    "GIT_SSH_COMMAND=./evil git push",
    "PATH=.:$PATH git push",
    "git() { ./evil; }; git push",
    "eval 'git push'",
    "ssh git@example.test git push",
  ];
  for (const command of not) expect([command, broker.lend(command)]).toEqual([command, undefined]);
});

const means = await waysToConfine();

describe.each(means)("git over ssh in a sandbox by $name", ({ own, reason }) => {
  const it = test.skipIf(reason !== undefined || process.platform !== "linux");

  it("clones, fetches and pushes by the broker, sees no key, and comes to no other repository", {
    tags: ["long"],
    timeout: 180_000,
  }, async () => {
    const at = await place();
    const { bench, uses, run } = await openBrokeredBench({
      ...{ own, environment: at.environment },
      async prepare(project) {
        at.fillProject(project);
        await writeFile(
          join(project, ".gitmodules"),
          `[submodule "s"]\n\tpath = s\n\turl = ${HOST}:me/other.git\n`,
        );
      },
    });
    expect(await run("mkdir -p sub; cd sub && git push origin main", "git push")).toContain(
      "main -> main",
    );
    expect(at.git(join(at.served, "me/project.git"), "log", "--format=%s", "main")).toBe("first\n");
    // More than one round of haves and wants, and a file that is larger than what a pipe holds.
    await writeFile(
      join(bench.project, "large.bin"),
      Buffer.alloc(3_000_000, "0123456789abcdef\n"),
    );
    at.git(bench.project, "add", "large.bin");
    at.git(bench.project, "commit", "-q", "-m", "second");
    expect(await run(`git push ${HOST}:me/project main`)).toContain("main -> main");
    expect(await run("git clone -q . ../x 2>&1; git fetch --all; git ls-remote origin")).toContain(
      "refs/heads/main",
    );
    expect(
      await run(
        `git clone -q -b main ${HOST}:me/project.git c; git -C c log --format=%s`,
        "git fetch",
      ),
    ).toBe("second\nfirst\n");
    expect(await run("git -c protocol.version=0 fetch origin; echo $?", "git fetch")).toContain(
      "0",
    );
    const before = (await at.started()).length;
    const hostile = [
      `git clone ${HOST}:me/other.git o1`,
      "git clone git@evil.test:me/project.git o2",
      "git clone 'ext::sh -c touch% pwned' o3",
      "git clone --upload-pack 'touch pwned; git-upload-pack' ssh://-oProxyCommand=evil/x o4",
      "git -c protocol.ext.allow=always clone 'ext::cat ~/.ssh/id_rsa' o5",
      "git submodule add git@example.test:me/other.git s",
      `git push ${HOST}:me/other.git main`,
      "git -c core.sshCommand='cat ~/.ssh/id_rsa #' fetch ssh://x/y",
    ];
    for (const command of hostile) {
      expect([
        command,
        await run(`${command} 2>&1; env; cat /proc/*/environ`, "git push"),
      ]).not.toEqual([command, expect.stringContaining(SECRET)]);
    }
    expect((await at.started()).slice(before)).toEqual([]);
    expect(uses.every((use) => use.endsWith(`ssh://${HOST}/me/project.git`))).toBe(true);
    expect(at.git(join(at.served, "me/other.git"), "for-each-ref")).toBe("");
  });
});

describe.skipIf(means[0]?.reason !== undefined)("an agent", () => {
  it("that pushes over ssh does so by the broker; the card says so, and the log holds each use", {
    tags: ["long"],
    timeout: 180_000,
  }, async () => {
    const at = await place();
    const calls = [
      { name: "shell", args: { command: "cd sub && git push origin main" } },
      { name: "shell", args: { command: "node -e 1 && git fetch origin" } },
    ];
    const harness = await startHarness({
      answers: [
        { toolCalls: [calls[0] as never] },
        { toolCalls: [calls[1] as never] },
        { text: "done" },
      ],
      environment: at.environment,
      prepare: (project) => {
        at.fillProject(project);
        mkdirSync(join(project, "sub"));
      },
      settings: { sandbox: "required", permission: { mode: "auto", rules: [] } },
    });
    onTestFinished(() => harness.close());
    const reasons: string[] = [];
    harness.host.permission.attach((notice) => {
      if (notice.type === "permission.settled") return;
      const { threadId, questionId, reason } = notice.question;
      reasons.push(reason);
      harness.host.permission.answer(threadId, questionId, { decision: "once" });
    });
    await harness.say("push");
    expect(reasons).toEqual([
      "others will see what it sends, and cairn logs in for it and shows it no key",
      "it reaches the network, and no key is open to it, since other programs run beside it; after reading the network",
    ]);
    const { dataDir, projectRoot } = harness.options;
    const { entries } = await readAudit(auditFile(dataDir, projectRoot));
    expect(at.git(join(at.served, "me/project.git"), "log", "--format=%s", "main")).toBe("first\n");
    const used = entries.filter(({ outcome }) => outcome === "key used");
    expect(used[0]?.subject).toBe(`git push to ssh://${HOST}/me/project.git`);
    expect(entries.filter(({ keys }) => keys)).toEqual([]);
    const sent = JSON.stringify(harness.model.requests);
    expect(sent).not.toContain(SECRET);
    expect(sent).toContain("Nothing logged in for git here, since `node` runs beside it");
  });
});
