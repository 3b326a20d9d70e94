// @module-tag long: a server of OpenSSH is started for each way to confine.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "../../support/patiently.ts";
import { until } from "../../support/until.ts";
import { waysToConfine } from "../support/sandbox-bench.ts";
import { openBrokeredBench } from "./support/brokered-bench.ts";

const SSHD = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));
const { username, uid } = userInfo();
const IS_ROOT = uid === 0;
const canStart =
  SSHD !== undefined && (!IS_ROOT || spawnSync("unshare", ["-m", "true"]).status === 0);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

/** A server of OpenSSH that lets one key in, two repositories on it, and a home folder with the key. */
async function startServer(program: string) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-sshd-"));
  const home = await mkdtemp(join(homedir(), ".cairn-openssh-"));
  onTestFinished(async () => {
    for (const made of [folder, home]) await rm(made, { recursive: true, force: true });
  });
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
      ...{ cwd, encoding: "utf8", stdio: "pipe" },
    });
  const makeKey = (path: string) =>
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path]);
  const served = join(folder, "served");
  await mkdir(served);
  for (const name of ["project", "other"]) git(served, "init", "-q", "--bare", `${name}.git`);
  await mkdir(join(home, ".ssh"), { mode: 0o700 });
  const [key, hostKey] = [join(home, ".ssh/id_ed25519"), join(folder, "host")];
  for (const path of [key, hostKey]) makeKey(path);
  const [allowed, known] = [join(folder, "authorized_keys"), join(home, ".ssh/known_hosts")];
  await writeFile(allowed, await readFile(`${key}.pub`), { mode: 0o600 });
  const port = await freePort();
  await writeFile(known, `[127.0.0.1]:${port} ${await readFile(`${hostKey}.pub`, "utf8")}`);
  const config = join(folder, "sshd_config");
  const lines = [
    ...[`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${hostKey}`],
    ...[`AuthorizedKeysFile ${allowed}`, `PidFile ${join(folder, "pid")}`, "UsePAM no"],
    ...["PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes"],
    ...["StrictModes no", "AcceptEnv GIT_PROTOCOL", "LogLevel VERBOSE"],
  ];
  await writeFile(config, `${lines.join("\n")}\n`);
  // Who is root needs a folder of the system's, which is there where the service runs: here in a view of its own.
  const asRoot = `mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec ${program} "$@"`;
  const started = [program, "-D", "-e", "-f", config];
  const words = IS_ROOT
    ? ["unshare", "-m", "sh", "-c", asRoot, "sshd", ...started.slice(1)]
    : started;
  const server = spawn(words[0] ?? "", words.slice(1), { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  server.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  await until(() => log.includes("Server listening"), {
    ...{ limitMs: 20_000, everyMs: 20, otherwise: () => `sshd said:\n${log}` },
  });
  // ssh finds its files by the system's home folder, not by the variable.
  const ssh = join(home, "ssh");
  const own = `-F none -i '${key}' -o IdentitiesOnly=yes -o IdentityAgent=none -o UserKnownHostsFile='${known}'`;
  await writeFile(ssh, `#!/bin/sh\nexec ssh ${own} "$@"\n`);
  await chmod(ssh, 0o755);
  await writeFile(join(home, ".gitconfig"), `[core]\n\tsshCommand = ${ssh}\n`);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const address = (name: string) => `ssh://${username}@127.0.0.1:${port}${served}/${name}.git`;
  return { ...{ served, home, key, allowed, known, git, address }, log: () => log };
}

describe.each(await waysToConfine())("a server of OpenSSH, in a sandbox by $name", (way) => {
  const isHere = canStart && process.platform === "linux" && way.reason === undefined;

  test.skipIf(!isHere)(
    "is fetched from and pushed to by the broker, with a key that no command reads",
    { timeout: patiently(120_000) },
    async () => {
      const at = await startServer(SSHD ?? "");
      const environment = { PATH: process.env.PATH ?? "", HOME: at.home };
      const { bench, uses, run } = await openBrokeredBench({
        ...{ own: way.own, environment },
        async prepare(project) {
          at.git(project, "init", "-q", "-b", "main");
          at.git(project, "remote", "add", "origin", at.address("project"));
          await writeFile(
            join(project, "large.bin"),
            Buffer.alloc(3_000_000, "0123456789abcdef\n"),
          );
          at.git(project, "add", ".");
          at.git(project, "commit", "-q", "-m", "first");
        },
      });

      expect(await run("git push origin main")).toContain("main -> main");
      const project = join(at.served, "project.git");
      expect(at.git(project, "log", "--format=%s", "main")).toBe("first\n");
      at.git(bench.project, "commit", "-q", "--allow-empty", "-m", "second");
      at.git(bench.project, "push", "-q", project, "HEAD:refs/heads/next");
      at.git(bench.project, "reset", "-q", "--hard", "HEAD~1");
      expect(await run("git fetch origin")).toContain("next       -> origin/next");
      expect(await run("git log -1 --format=%s origin/next")).toBe("second\n");
      expect(
        await run(`git clone -q -b next ${at.address("project")} c && ls c`, "git fetch"),
      ).toBe("large.bin\n");
      expect(await run("git push origin --delete next")).toContain("[deleted]");
      expect(uses.some((use) => use.startsWith("git push to ssh://"))).toBe(true);
      expect(at.log().match(/Accepted publickey for/g)?.length ?? 0).toBeGreaterThan(3);

      // Another repository of the same server, the key itself, and ssh by the command's own hand.
      const other = `git push ${at.address("other")} main`;
      expect(await run(other)).not.toContain("main -> main");
      expect(at.git(join(at.served, "other.git"), "for-each-ref")).toBe("");
      const accepted = at.log().match(/Accepted publickey for/g)?.length;
      expect(await run(`cat ${at.key}; cat ${at.home}/ssh`, "git fetch")).not.toContain(
        "PRIVATE KEY",
      );
      const [, port] = /:(\d+)\//.exec(at.address("project")) ?? [];
      const byHand = `ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=no -p ${port} ${username}@127.0.0.1 true`;
      expect(await run(`${byHand} && echo reached`, "git fetch")).not.toContain("reached");
      expect(at.log().match(/Accepted publickey for/g)?.length).toBe(accepted);

      // What the server says where it lets the key in no longer.
      await writeFile(at.allowed, "");
      expect(await run("git fetch origin")).toMatch(/Permission denied|403/);
      await writeFile(at.known, "");
      expect(await run("git fetch origin")).toMatch(/Host key verification failed|403/);
    },
  );
});
