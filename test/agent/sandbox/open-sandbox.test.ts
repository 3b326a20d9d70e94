import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { runStopHooks } from "../../../src/agent/hooks/run-stop-hooks.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { packageRoot } from "../../../src/shared/package.ts";
import { liveCommands } from "../support/processes.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

describe("a sandbox", () => {
  it("reports that it is off and runs commands unchanged", async () => {
    const { sandbox, run } = await openSandboxBench({ setting: "off" });
    expect(sandbox.label).toBe("off (by setting)");
    expect(await run("echo works")).toBe("works\n");
  });

  it.runIf(process.platform === "linux")("reports a missing program", async () => {
    const { sandbox, run } = await openSandboxBench({ path: "/nonexistent" });
    expect(sandbox.label).toMatch(/^off \(not installed: bwrap, socat\)$/);
    expect(await run("echo works")).toBe("works\n");
  });

  it.runIf(process.platform === "linux")("that is required and missing runs nothing", async () => {
    const { sandbox, run, project } = await openSandboxBench({
      setting: "required",
      path: "/nonexistent",
    });
    expect(sandbox.label).toMatch(/^off \(required, but not installed: bwrap, socat/);
    await expect(run("touch ran")).rejects.toThrowError(/sandbox is required.*not installed/);
    expect(await readdir(project)).toEqual([]);
  });
});

/** The other sandbox tests cover these in the default run. */
const LONG = { tags: ["long"] };

const reason = await findSandboxProblem();

describe(`a sandbox in force${reason === undefined ? "" : `: ${reason}`}`, () => {
  const it = test.skipIf(reason !== undefined);
  const openBench = openSandboxBench;

  it("allows writes only in the project, and hides the config", async () => {
    const { run, project, folder } = await openBench();
    const output = await run(
      "echo in > in.txt; echo out > ../out.txt; cat ../config/config.json; ls -A; echo end",
    );
    expect(await readFile(join(project, "in.txt"), "utf8")).toBe("in\n");
    expect(existsSync(join(folder, "out.txt"))).toBe(false);
    expect(await readdir(project)).toEqual(["in.txt"]);
    expect(output).not.toContain("secret");
    expect(output).toContain("in.txt\nend\n");
  });

  it("confines commands even if cairn is installed in the hidden home folder", LONG, async () => {
    const home = process.env.HOME;
    onTestFinished(() => {
      process.env.HOME = home ?? "";
    });
    process.env.HOME = dirname(packageRoot());
    const { run, sandbox } = await openBench();
    expect(sandbox.label).not.toMatch(/^off/);
    expect(await run(`cat ${packageRoot()}/package.json || echo hidden`)).toContain("hidden");
  });

  it("gives each thread private temporary files", LONG, async () => {
    const mine = await mkdtemp(join(tmpdir(), "cairn-of-the-person-"));
    onTestFinished(() => rm(mine, { recursive: true, force: true }));
    await writeFile(join(mine, "letter.txt"), "private letter\n");
    const { run, sandbox, project } = await openBench();
    const name = `cairn-note-${process.pid}`;
    const here = join(tmpdir(), name);
    const wrote = `echo "from $(mktemp)" > ${here}; cat ${mine}/letter.txt 2>/dev/null; ls ${tmpdir()}`;
    const seen = await run(wrote);
    expect(seen).not.toContain("private letter");
    expect(seen).not.toContain("cairn-of-the-person");
    expect(existsSync(here)).toBe(false);
    expect(await run(`cat ${here}`)).toMatch(/^from \/.*\/tmp\.\w+\n$/);
    expect(await run(`touch ${here}-2; cat ${here}`, { readOnly: true })).not.toContain("denied");
    expect(existsSync(`${here}-2`)).toBe(false);
    const other = new ProcessTable({
      ...{ name: "other", cwd: project, wrap: sandbox.wrap, guard: new ExitGuard() },
      environment: { PATH: process.env.PATH ?? "" },
    });
    onTestFinished(() => other.killAll());
    const theirs = await other.start(`cat ${here}; ls -d ${here}* || echo none`);
    await theirs.ended;
    expect(theirs.output.text()).toContain("none");
    const foreign = await openBench();
    expect(await foreign.run(`ls -d ${here}* || echo none`)).toContain("none");
  });

  it(
    "denies changes to config and hooks of existing repositories, nested and bare",
    LONG,
    async () => {
      const { run, project } = await openBench({
        prepare: async (root) => {
          for (const [folder, bare] of [
            [".", ""],
            ["vendor/lib", ""],
            ["mirror.git", "--bare"],
          ]) {
            await mkdir(join(root, folder ?? ""), { recursive: true });
            const { execFileSync } = await import("node:child_process");
            execFileSync("git", ["init", "-q", ...(bare ? [bare] : []), join(root, folder ?? "")]);
          }
        },
      });
      const git = [".git", "vendor/lib/.git", "mirror.git"];
      const before = await Promise.all(
        git.map((at) => readFile(join(project, at, "config"), "utf8")),
      );
      const output = await run(
        git
          .map(
            (at) =>
              `echo evil >> ${at}/config; echo evil > ${at}/hooks/post-checkout; rm -rf ${at}/hooks; ` +
              `mv ${at} ${at}.away; git config core.fsmonitor evil`,
          )
          .join("\n"),
      );
      expect(
        await Promise.all(git.map((at) => readFile(join(project, at, "config"), "utf8"))),
      ).toEqual(before);
      for (const at of git)
        expect(existsSync(join(project, at, "hooks/post-checkout"))).toBe(false);
      expect(output).toMatch(/Read-only file system/);
      expect(
        await run(
          "echo a > f && git add f && git -c user.name=n -c user.email=e commit -qm m; git log --oneline",
        ),
      ).toMatch(/ m\n/);
    },
  );

  it("quarantines files that git, editors or agents would execute, and keeps harmless ones", async () => {
    const { run, project, folder } = await openBench();
    const output = await run(
      "git init -q fine; git -C fine remote add origin https://example.com/x.git; " +
        "git init -q a/b/evil; git -C a/b/evil config core.fsmonitor ./evil.sh; " +
        "git init -q hooked; echo evil > hooked/.git/hooks/post-checkout; " +
        "git init -q --bare bare; git -C bare config core.pager evil; " +
        "git init -q moved; mkdir -p /tmp/cairn-elsewhere; echo /tmp/cairn-elsewhere > moved/.git/commondir; " +
        "mkdir linked; echo 'gitdir: /tmp/cairn-elsewhere' > linked/.git; " +
        "mkdir .vscode .cairn; echo evil > .vscode/tasks.json; echo evil > .mcp.json; echo '{}' > .cairn/config.json",
    );
    const left = (path: string) => existsSync(join(project, path));
    expect(left("fine/.git/config")).toBe(true);
    expect(await readFile(join(project, "fine/.git/config"), "utf8")).toContain("example.com");
    for (const path of [
      "a/b/evil/.git/config",
      "hooked/.git/hooks/post-checkout",
      "bare/config",
      "moved/.git/commondir",
      "linked/.git",
      ".vscode",
      ".mcp.json",
      ".cairn/config.json",
    ]) {
      expect(left(path), path).toBe(false);
      expect(output).toContain(path);
    }
    expect(left("hooked/.git/config")).toBe(true);
    const [aside = ""] = await readdir(join(folder, "data/set-aside"));
    expect(aside).not.toBe("");
    expect(output).toContain("The sandbox moved files away");
  });

  it("scans new repositories while a command runs, and reports at its end", {
    ...LONG,
    timeout: 60_000,
  }, async () => {
    const { processes, project, folder } = await openBench();
    const started = await processes.start(
      "git init -q fresh; git -C fresh config user.name me; touch ready; " +
        "while [ ! -e stop ]; do git -C fresh config core.fsmonitor ./evil.sh 2>/dev/null; sleep 0.05; done",
    );
    await expect.poll(() => existsSync(join(project, "ready")), { timeout: 60_000 }).toBe(true);
    await expect
      .poll(() => existsSync(join(folder, "data/set-aside")), { timeout: 60_000 })
      .toBe(true);
    expect(started.state.phase).toBe("running");
    await writeFile(join(project, "stop"), "");
    await started.ended;
    expect(started.output.text()).toMatch(/moved files away .*fresh\/\.git\/config to /);
    const config = await readFile(join(project, "fresh/.git/config"), "utf8").catch(() => "");
    expect(config).not.toContain("fsmonitor");
  });

  it("keeps what the user creates between two commands", LONG, async () => {
    const { run, project } = await openBench();
    await run("true");
    await mkdir(join(project, ".vscode"));
    await writeFile(join(project, ".vscode/settings.json"), "{}");
    const output = await run("echo evil > .vscode/settings.json; echo done");
    expect(output).toContain("done");
    expect(await readFile(join(project, ".vscode/settings.json"), "utf8")).toBe("{}");
  });

  it("confines hooks like commands", LONG, async () => {
    const { sandbox, project, folder, run } = await openBench();
    await run("echo 'touch ../direct; touch inside' > format.sh");
    const failures = await runStopHooks({
      hooks: [{ shell: "sh ./format.sh" }],
      threadId: "t",
      cwd: project,
      environment: { PATH: process.env.PATH ?? "" },
      processName: "test",
      exitGuard: new ExitGuard(),
      wrapCommand: sandbox.wrap,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
    });
    expect(failures).toEqual([]);
    expect(existsSync(join(folder, "direct"))).toBe(false);
    expect(existsSync(join(project, "inside"))).toBe(true);
  });

  it("reaches no port of this machine, unless a rule allows it", async () => {
    const server = createServer((_request, response) => response.end("from outside"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ask = `curl -sS -m 5 http://127.0.0.1:${port}/; curl -sS -m 5 --noproxy '' http://localhost:${port}/; curl -sS -m 5 --noproxy '' http://127.0.0.1:${port}/`;
    const shut = await openBench();
    expect(await shut.run(ask)).not.toContain("from outside");
    expect(await shut.run(ask, { network: true })).not.toContain("from outside");
    const allowed = await openBench({
      rules: [{ tool: "network", pattern: `localhost:${port}`, action: "allow" }],
    });
    expect(await allowed.run(`curl -sS -m 5 http://localhost:${port}/`)).toBe("from outside");
  });

  it("hides the user's credentials from commands without network access", LONG, async () => {
    // Checks paths only: the real home folder may have no credentials and must not be modified.
    const { run } = await openBench();
    const places = "~/.ssh ~/.aws ~/.gnupg ~/.netrc ~/.npmrc ~/.git-credentials";
    const output = await run(
      `for p in ${places}; do [ -f $p ] && cat $p; [ -d $p ] && ls -A $p; done; echo end`,
    );
    expect(output.replaceAll(/(?:cat|ls): .*\n/g, "")).toBe("end\n");
  });

  it("protects files that git's config names, at any depth", LONG, async () => {
    const { run, project } = await openBench({
      prepare: async (root) => {
        const { execFileSync } = await import("node:child_process");
        const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
        git("init", "-q");
        git("config", "core.hooksPath", "my-hooks");
        git("config", "filter.tidy.clean", "sh ./scripts/clean.sh %f");
        for (const path of ["my-hooks/pre-commit", "scripts/clean.sh", "a/b/.npmrc", "AGENTS.md"]) {
          await mkdir(join(root, path, ".."), { recursive: true });
          await writeFile(join(root, path), "mine\n");
        }
      },
    });
    const output = await run(
      "for f in my-hooks/pre-commit my-hooks/post-checkout scripts/clean.sh a/b/.npmrc AGENTS.md; do " +
        "echo evil > $f; done; mkdir -p c/.github/workflows c/.vscode; echo evil > c/.github/workflows/x.yml; " +
        "echo evil > c/.vscode/tasks.json; echo evil > c/.envrc; echo ok > scripts/other.sh",
    );
    for (const path of ["my-hooks/pre-commit", "scripts/clean.sh", "a/b/.npmrc", "AGENTS.md"]) {
      expect(await readFile(join(project, path), "utf8"), path).toBe("mine\n");
    }
    for (const path of ["my-hooks/post-checkout", "c/.github/workflows", "c/.vscode", "c/.envrc"]) {
      expect(existsSync(join(project, path)), path).toBe(false);
    }
    expect(existsSync(join(project, "scripts/other.sh"))).toBe(true);
    expect(output).toContain("c/.github/workflows to ");
  });

  it("reports quarantined files immediately, because they may be the user's", {
    ...LONG,
    timeout: 60_000,
  }, async () => {
    const { processes, project, notices } = await openBench();
    const started = await processes.start("touch ready; while [ ! -e stop ]; do sleep 0.05; done");
    await expect.poll(() => existsSync(join(project, "ready")), { timeout: 60_000 }).toBe(true);
    await mkdir(join(project, "lib/.git/objects"), { recursive: true });
    await mkdir(join(project, "lib/.git/refs"));
    await writeFile(join(project, "lib/.git/HEAD"), "ref: refs/heads/main\n");
    await writeFile(join(project, "lib/.git/config"), "[alias]\n\tst = !evil\n");
    await expect.poll(() => notices.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(started.state.phase).toBe("running");
    expect(notices[0]).toMatch(
      /^lib\/\.git\/config was created during .* If it is yours, move it back/,
    );
    await writeFile(join(project, "stop"), "");
    await started.ended;
  });

  it(
    "exposes only the granted credential, never cairn's folders or other logins",
    LONG,
    async () => {
      const { run, home } = await openBench({ ownHome: true });
      const files = [".ssh/id_rsa", ".aws/credentials", ".codex/auth.json", "letter.txt"];
      const own = ["../config/mcp-logins.json", "../data/memory.db"];
      const look = `for f in ${files.map((name) => `~/${name}`).join(" ")} ${own.join(" ")}; do cat "$f" 2>/dev/null; done; echo end`;
      await mkdir(join(home, "../data"), { recursive: true });
      await writeFile(join(home, "../config/mcp-logins.json"), "token\n");
      await writeFile(join(home, "../data/memory.db"), "memory\n");
      expect(await run(look)).toBe("end\n");
      expect(await run(look, { network: true })).toBe("end\n");
      expect(await run(look, { network: true, credential: "git and ssh" })).toBe(
        "key of .ssh/id_rsa\nend\n",
      );
      expect(await run(look, { network: true, credential: "AWS" })).toBe(
        "key of .aws/credentials\nend\n",
      );
      expect(await run("cat ~/.cargo/config.toml")).toBe("key of .cargo/config.toml\n");
    },
  );

  it("mounts everything read-only for a read-only command", LONG, async () => {
    const { run, project } = await openBench({
      prepare: (root) => writeFile(join(root, "a.txt"), "mine\n"),
    });
    const output = await run("cat a.txt; echo x > a.txt; touch b.txt; touch /tmp/cairn-read-only", {
      readOnly: true,
    });
    expect(output).toContain("mine");
    expect(await readFile(join(project, "a.txt"), "utf8")).toBe("mine\n");
    expect(await readdir(project)).toEqual(["a.txt"]);
    expect(existsSync("/tmp/cairn-read-only")).toBe(false);
  });

  it("reports and kills processes that a command left running", LONG, async () => {
    const { run } = await openBench();
    const output = await run("set -eu; sleep 1234 & (sleep 1235; echo never) & echo started");
    expect(output).toMatch(/^started\n/);
    expect(output).toMatch(/left running were ended with it: .*sleep 1234/);
    expect(output).not.toMatch(/CAIRN_AT_END|ulimit/);
    expect(await run("sleep 0.1 & wait; echo a | cat; echo $CAIRN_AT_END")).toBe("a\n\n");
    expect(await run("fi")).toContain("line 1: syntax error");
  });

  it("restarts a killed helper", LONG, async () => {
    const { run, project } = await openBench();
    await run("echo before");
    const { readdirSync, readFileSync, readlinkSync } = await import("node:fs");
    const carriers: string[] = [];
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const isOurs = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(project);
        const isHelper = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sandbox.child");
        if (!isOurs || !isHelper) continue;
        carriers.push(`socat UNIX-LISTEN:${readlinkSync(`/proc/${pid}/cwd`)}`);
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // The process exited after it was listed.
      }
    }
    expect(carriers).not.toEqual([]);
    expect(carriers.flatMap((one) => liveCommands(one))).not.toEqual([]);
    await expect.poll(() => run("echo after; touch ../out").catch(() => "")).toContain("after");
    expect(existsSync(join(project, "../out"))).toBe(false);
    // The network relay of the killed helper exits with it.
    expect(carriers.flatMap((one) => liveCommands(one))).toEqual([]);
  });

  it("does not follow a link in place of the git folder", LONG, async () => {
    const { run, project } = await openBench();
    const output = await run("mkdir /tmp/cairn-linked-git; ln -s /tmp/cairn-linked-git .git");
    expect(output).toContain("moved files away");
    expect(existsSync(join(project, ".git"))).toBe(false);
    await symlink("nowhere", join(project, "other"));
    expect(await run("rm -rf /tmp/cairn-linked-git /tmp/cairn-elsewhere; ls")).toContain("other");
  });
});
