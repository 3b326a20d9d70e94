// @module-tag long: tries every escape under each sandbox.
import { execFileSync, spawn } from "node:child_process";
import { createSocket as createDatagrams } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ESCAPE_VECTORS, type EscapeVector, WORKTREE_ESCAPES } from "../support/escape-vectors.ts";
import { readTree } from "../support/read-tree.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const isLinux = process.platform === "linux";

type Means = "bubblewrap" | "none";

interface Ground {
  readonly means: Means;
  readonly inCopy: boolean;
}

/**
 * In a workspace copy, the original project is a target too. Its vectors run first, because later
 * ones move the copy's repository.
 */
const vectorsOf = ({ inCopy }: Ground): readonly EscapeVector[] =>
  inCopy ? [...WORKTREE_ESCAPES, ...ESCAPE_VECTORS] : ESCAPE_VECTORS;

/** Returns an external IPv4 address of this machine, or loopback if it has none. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

/** Creates a file in `/dev/shm` and a System V shared memory segment. */
async function shareMemory(name: string) {
  const file = join("/dev/shm", name);
  await writeFile(file, "SECRET\n");
  const key = 0x20000000 + (process.pid % 0x10000) * 16 + (name.length % 16);
  const script = `import ctypes,sys,time
l=ctypes.CDLL(None);l.shmat.restype=ctypes.c_void_p
i=l.shmget(${key},64,0o1600);p=l.shmat(i,None,0);ctypes.memmove(p,b"OUTSIDE",7);print(i,flush=True)
sys.stdin.read();l.shmctl(i,0,None)`;
  const keeper = spawn("/usr/bin/python3", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  await once(keeper.stdout, "data");
  return {
    ...{ name, key },
    remove: async () => {
      keeper.stdin.end();
      await once(keeper, "exit");
      for (const path of [file, `${file}.evil`]) await rm(path, { force: true });
    },
  };
}

/**
 * Sets up files and processes outside the sandbox, runs all vectors, and returns the names of
 * those that escaped.
 */
async function escapedIn(ground: Ground): Promise<readonly string[]> {
  const { means, inCopy } = ground;
  const vectors = vectorsOf(ground);
  const bench = await openSandboxBench({
    ...{ ownHome: true, setting: means === "none" ? "off" : "required" },
    inCopy,
    prepare: async (root) => {
      const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
      git("init", "-q");
      for (const path of [
        ".vscode/settings.json",
        ".envrc",
        "AGENTS.md",
        ".npmrc",
        ".husky/pre-commit",
      ]) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), "mine\n");
      }
      git("add", ".");
      git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first", "--no-verify");
      await mkdir(join(root, "node_modules/lib"), { recursive: true });
      await writeFile(join(root, "node_modules/lib/index.js"), "mine\n");
    },
  });
  const { home, folder, origin } = bench;
  const files = [
    ".ssh/id_rsa",
    ".ssh/id_rsa2",
    ".aws/credentials",
    ".codex/auth.json",
    "letter.txt",
  ];
  for (const name of [...files, "other-project/.env", "empty-me", "remove-me", "bin/tool"]) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), "[SECRET]\nSECRET = x\n");
  }
  await mkdir(join(folder, "data"), { recursive: true });
  for (const name of ["config/config.json", "data/memory.db"]) {
    await writeFile(join(folder, name), "SECRET\n");
  }
  const server = createServer((_asked, answer) => answer.end("OUTSIDE\n"));
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  const [sock, abstract] = [join(folder, "s"), `cairn-escape-${process.pid}-${means}${inCopy}`];
  const sockets = [sock, `\0${abstract}`].map((path) =>
    createSocket((socket) => socket.end("OUTSIDE\n")).listen(path),
  );
  const datagrams = createDatagrams("udp4", (_asked, from) =>
    datagrams.send("OUTSIDE\n", from.port, from.address),
  );
  await new Promise<void>((resolve) => datagrams.bind(0, "127.0.0.1", resolve));
  const victim = spawn("sleep", ["4712"]);
  const shared = await shareMemory(`cairn-shm-${process.pid}-${means}${inCopy}`);
  execFileSync("git", ["init", "-q", join(home, "repository")]);
  await writeFile(join(home, "repository/key"), "SECRET\n");
  const commit = ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"];
  execFileSync("git", ["add", "."], { cwd: join(home, "repository") });
  execFileSync("git", commit, { cwd: join(home, "repository") });
  const other = spawn("sleep", ["4711"], { cwd: home, env: { SECRET_OF_ANOTHER: "x" } });
  const [mark, seen] = [`cairn-mark-${process.pid}-${means}${inCopy}`, `cairn-seen-${process.pid}`];
  await writeFile(join(tmpdir(), seen), "");
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.close();
    datagrams.close();
    for (const one of [other, victim]) one.kill("SIGKILL");
    await shared.remove();
    await Promise.all([mark, seen].map((name) => rm(join(tmpdir(), name), { force: true })));
  });
  const names = {
    ...{ H: home, PORT: (server.address() as AddressInfo).port, SOCK: sock, ABSTRACT: abstract },
    ...{ UDP: datagrams.address().port, VICTIM: victim.pid, ADDRESS: ownAddress() },
    ...{ SHM: shared.name, SHMKEY: shared.key },
    ...{ OTHER: other.pid, MARK: mark, SEEN: seen, SHARED: tmpdir(), ORIGIN: origin },
  };
  const set = Object.entries(names).map(([name, value]) => `export ${name}='${value}'`);
  const before = readTree(origin);
  const tries = vectors.map(
    ({ command }, at) => `(${command}) >/dev/null 2>&1 && echo "escaped ${at}"`,
  );
  await writeFile(join(bench.project, "all.sh"), [...set, ...tries, "echo end"].join("\n"));
  const output = await bench.run("bash all.sh");
  expect(output).toContain("\nend");
  if (inCopy && means !== "none")
    expect(unlessShared(readTree(origin))).toEqual(unlessShared(before));
  const got = [...output.matchAll(/^escaped (\d+)$/gm)].map(([, at]) => Number(at));
  const all = got.map((at) => vectors[at]?.name ?? "");
  // The sandbox may show its own folders at these paths, so check the files outside.
  return all.filter((name) => {
    const path = /^changes (\$(?:H|ORIGIN)\/\S+|\.\.\/\S+|\/dev\S+) by/.exec(name)?.[1];
    if (path !== undefined) {
      const location = path.startsWith("..")
        ? join(bench.project, path)
        : path.replace("$H", home).replace("$ORIGIN", origin).replace("$SHM", shared.name);
      return existsSync(location) && readFileSync(location, "utf8").includes("evil");
    }
    if (name.startsWith("names another program")) return victim.signalCode !== null;
    if (name === "empties a letter") return statSync(join(home, "empty-me")).size === 0;
    if (name === "removes a letter") return !existsSync(join(home, "remove-me"));
    return !name.startsWith("leaves a file") || existsSync(join(tmpdir(), mark));
  });
}

const possible = (ground: Ground) =>
  vectorsOf(ground).flatMap(({ name, possible: by }) =>
    by?.some((one) => one === ground.means) === true ? [name] : [],
  );

/** A linked worktree shares objects, refs and reflogs with its repository and may add worktrees. */
const SHARED_GIT =
  /(?:^|\/)\.git\/(?:objects|refs|logs|packed-refs|worktrees\/w)\b|^(?:moves a branch of|pushes to|makes a worktree of) the project$/;

function unlessShared(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !SHARED_GIT.test(path)));
}

const PLACES = [
  { inCopy: false, where: "the project" },
  { inCopy: true, where: "a copy of the project" },
];

describe.each(PLACES)("escapes from $where", ({ inCopy }) => {
  test("has at least sixty vectors, nearly all of which succeed without confinement", async (context) => {
    if (!isLinux) context.skip("Linux alone");
    const ground: Ground = { means: "none", inCopy };
    const vectors = vectorsOf(ground);
    expect(vectors.length).toBeGreaterThanOrEqual(60);
    const escaped = await escapedIn(ground);
    const failed = vectors.filter(({ name }) => !escaped.includes(name));
    // Some vectors require privileges that not every environment has.
    expect(failed.map(({ name }) => name).length).toBeLessThanOrEqual(15);
    expect(failed.filter((one) => WORKTREE_ESCAPES.includes(one))).toEqual([]);
  }, 180_000);

  test("has none in the sandbox, apart from the key ring and the clock of root", async (context) => {
    const reason = await findSandboxProblem();
    if (!isLinux || reason !== undefined) context.skip(reason ?? "Linux alone");
    const ground: Ground = { means: "bubblewrap", inCopy };
    const allowed = possible(ground);
    const escaped = await escapedIn(ground);
    const led = escaped.filter((name) => !allowed.includes(name) && !SHARED_GIT.test(name));
    expect(led).toEqual([]);
  }, 180_000);
});
