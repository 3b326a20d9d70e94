// @module-tag long: every known way out is tried under each sandbox.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ESCAPE_VECTORS } from "../support/escape-vectors.ts";
import { openSandboxBench, whyNoSandbox } from "../support/sandbox-bench.ts";

const isLinux = process.platform === "linux";

/** What the person has, and runs; of the vectors, those that got there. */
async function escapedIn(means: "bubblewrap" | "helper" | "none"): Promise<readonly string[]> {
  const bench = await openSandboxBench({
    ...{ own: means === "helper", ownHome: true, setting: means === "none" ? "off" : "required" },
    prepare: async (root) => {
      const { execFileSync } = await import("node:child_process");
      execFileSync("git", ["init", "-q"], { cwd: root });
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
    },
  });
  const { home, folder } = bench;
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
  const [sock, abstract] = [join(folder, "s"), `cairn-escape-${process.pid}-${means}`];
  const sockets = [sock, `\0${abstract}`].map((path) =>
    createSocket((socket) => socket.end("OUTSIDE\n")).listen(path),
  );
  const other = spawn("sleep", ["4711"], { cwd: home, env: { SECRET_OF_ANOTHER: "x" } });
  const [mark, seen] = [`cairn-mark-${process.pid}-${means}`, `cairn-seen-${process.pid}`];
  await writeFile(join(tmpdir(), seen), "");
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.close();
    other.kill("SIGKILL");
    await Promise.all([mark, seen].map((name) => rm(join(tmpdir(), name), { force: true })));
  });
  const names = {
    ...{ H: home, PORT: (server.address() as AddressInfo).port, SOCK: sock, ABSTRACT: abstract },
    ...{ OTHER: other.pid, MARK: mark, SEEN: seen, SHARED: tmpdir() },
  };
  const set = Object.entries(names).map(([name, value]) => `export ${name}='${value}'`);
  const tries = ESCAPE_VECTORS.map(
    ({ command }, at) => `(${command}) >/dev/null 2>&1 && echo "escaped ${at}"`,
  );
  await writeFile(join(bench.project, "all.sh"), [...set, ...tries, "echo end"].join("\n"));
  const output = await bench.run("bash all.sh");
  expect(output).toContain("\nend");
  const got = [...output.matchAll(/^escaped (\d+)$/gm)].map(([, at]) => Number(at));
  const all = got.map((at) => ESCAPE_VECTORS[at]?.name ?? "");
  // Inside there may be other folders in these places: what counts is what lies outside.
  return all.filter((name) => {
    const path = /^changes (\$H\/\S+|\.\.\/\S+) by/.exec(name)?.[1];
    if (path !== undefined) {
      const place = path.startsWith("..") ? join(bench.project, path) : path.replace("$H", home);
      return existsSync(place) && readFileSync(place, "utf8").includes("evil");
    }
    if (name === "empties a letter") return statSync(join(home, "empty-me")).size === 0;
    if (name === "removes a letter") return !existsSync(join(home, "remove-me"));
    return !name.startsWith("leaves a file") || existsSync(join(tmpdir(), mark));
  });
}

const possible = (means: "bubblewrap" | "helper") =>
  ESCAPE_VECTORS.flatMap(({ name, possible: by }) => (by?.includes(means) === true ? [name] : []));

describe("ways out of the project", () => {
  test("are at least sixty, and real: without confinement nearly all lead out", async (context) => {
    if (!isLinux) context.skip("Linux alone");
    expect(ESCAPE_VECTORS.length).toBeGreaterThanOrEqual(60);
    const escaped = await escapedIn("none");
    const failed = ESCAPE_VECTORS.filter(({ name }) => !escaped.includes(name));
    expect(failed.map(({ name }) => name).length).toBeLessThanOrEqual(15);
  }, 180_000);

  for (const means of ["bubblewrap", "helper"] as const) {
    test(`lead nowhere under ${means}, but for what the guide names`, async (context) => {
      const reason = await whyNoSandbox({ own: means === "helper" });
      if (!isLinux || reason !== undefined) context.skip(reason ?? "Linux alone");
      const escaped = await escapedIn(means);
      const allowed = possible(means);
      expect(escaped.filter((name) => !allowed.includes(name))).toEqual([]);
    }, 180_000);
  }
});
