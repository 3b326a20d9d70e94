// @module-tag long: git and programs that log in, behind a broker.
import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { KeyBroker } from "../../../src/agent/broker/key-broker.ts";
import { auditFile, readAudit } from "../../../src/agent/index.ts";
import { waysToConfine } from "../support/sandbox-bench.ts";
import { startHarness } from "../support/thread-harness.ts";
import { openBrokeredBench } from "./support/brokered-bench.ts";

const SECRET = "sekret-password-1234";
const NPM_TOKEN = "npm_sekretsekretsekret1234";

/** Real git over http, for one name and password alone; every request that it got. */
async function gitServer(root: string) {
  const got: string[] = [];
  const serve = (asked: IncomingMessage, answer: ServerResponse) => {
    const url = new URL(asked.url ?? "", "http://x");
    got.push(`${asked.method} ${url.pathname}${url.search}`);
    const wanted = `Basic ${Buffer.from(`me:${SECRET}`).toString("base64")}`;
    if (asked.headers.authorization !== wanted) {
      answer.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...{ PATH: process.env.PATH ?? "", GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1" },
        ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1), REMOTE_USER: "me" },
        ...{
          REQUEST_METHOD: asked.method ?? "",
          CONTENT_TYPE: asked.headers["content-type"] ?? "",
        },
        GIT_PROTOCOL: String(asked.headers["git-protocol"] ?? ""),
        HTTP_CONTENT_ENCODING: asked.headers["content-encoding"] ?? "",
      },
    });
    asked.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    backend.once("close", () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf("\r\n\r\n");
      const lines = whole.subarray(0, end).toString().split("\r\n");
      const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
      answer.writeHead(Number.parseInt(headers.Status ?? "200", 10), headers);
      answer.end(whole.subarray(end + 4));
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { got, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A person's home with keys, a server's repositories, and a project whose remote is one of them. */
async function place() {
  const folder = await mkdtemp(join(homedir(), ".cairn-broker-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
      ...{ cwd, encoding: "utf8", stdio: "pipe" },
    });
  const [served, home] = [join(folder, "served"), join(folder, "home")];
  await mkdir(join(served, "me"), { recursive: true });
  await mkdir(home);
  for (const name of ["project", "other"]) {
    git(served, "init", "-q", "--bare", `me/${name}.git`);
    git(join(served, `me/${name}.git`), "config", "http.receivepack", "true");
  }
  const server = await gitServer(served);
  const host = server.origin.replace("http://", "");
  await writeFile(join(home, ".git-credentials"), `http://me:${SECRET}@${host}\n`);
  await writeFile(join(home, ".gitconfig"), "[credential]\n\thelper = store\n");
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const fillProject = (project: string) => {
    git(project, "init", "-q", "-b", "main");
    git(project, "remote", "add", "origin", `${server.origin}/me/project.git`);
    git(project, "commit", "-q", "--allow-empty", "-m", "first");
  };
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  return { ...server, folder, home, served, git, fillProject, environment };
}

async function openBroker() {
  const at = await place();
  const project = join(at.folder, "project");
  await mkdir(project);
  at.fillProject(project);
  const uses: string[] = [];
  const onUse = async (use: string) => void uses.push(use);
  const open = () => KeyBroker.open({ projectRoot: project, environment: at.environment, onUse });
  const broker = await open();
  if (broker === undefined) throw new Error("There is nothing to log in to.");
  onTestFinished(() => broker.close());
  const addressOf = (command: string) => {
    const lent = broker.lend(command);
    const [, address = ""] = /url\.(http:\/\/localhost:\d+\/\w+)\//.exec(lent?.before ?? "") ?? [];
    return { lent, address };
  };
  return { ...at, project, broker, uses, open, addressOf };
}

it("logs in to the project's remotes alone, pushes only for a push, and for no command that has ended", async () => {
  const { addressOf, origin, uses, git, project } = await openBroker();
  const ask = async (address: string, path: string) =>
    (await fetch(`${address}/git/${encodeURIComponent(origin)}/${path}`)).status;
  const { lent, address } = addressOf("git fetch");
  const fetches = "info/refs?service=git-upload-pack";
  const pushes = "info/refs?service=git-receive-pack";
  expect(await ask(address, `me/project.git/${fetches}`)).toBe(200);
  expect(await ask(address, `me/project.git/${pushes}`)).toBe(403);
  expect(await ask(address, `me/other.git/${fetches}`)).toBe(403);
  expect(await ask(address, `me/project.git/../other.git/${fetches}`)).toBe(403);
  expect(await ask(address, "me/project.git/config")).toBe(403);
  const elsewhere = encodeURIComponent("http://127.0.0.1:1");
  expect((await fetch(`${address}/git/${elsewhere}/me/project.git/${fetches}`)).status).toBe(403);
  // What the agent adds later is no remote that the person had.
  git(project, "remote", "add", "evil", `${origin}/me/other.git`);
  expect(await ask(address, `me/other.git/${fetches}`)).toBe(403);
  expect(await ask(addressOf("git push origin main").address, `me/project.git/${pushes}`)).toBe(
    200,
  );
  lent?.end();
  expect(await ask(address, `me/project.git/${fetches}`)).toBe(403);
  expect(uses).toEqual([
    `git fetch from ${origin}/me/project.git`,
    `git push to ${origin}/me/project.git`,
  ]);
});

it("uses no key whose use cannot be noted, and lends to no other programs", async () => {
  const at = await openBroker();
  const broker = await KeyBroker.open({
    ...{ projectRoot: at.project, environment: at.environment },
    onUse: async () => {
      throw new Error("disk full");
    },
  });
  onTestFinished(() => broker?.close());
  const before = broker?.lend("git fetch")?.before ?? "";
  const [, address = ""] = /url\.(http:\/\/localhost:\d+\/\w+)\//.exec(before) ?? [];
  const place = `${address}/git/${encodeURIComponent(at.origin)}/me/project.git`;
  const answer = await fetch(`${place}/info/refs?service=git-upload-pack`);
  expect([answer.status, await answer.text()]).toEqual([403, "disk full\n"]);
  expect(at.got).toEqual([]);
  expect(broker?.lend("curl https://example.org")).toBeUndefined();
  expect(broker?.lend("npm install")).toBeUndefined();
});

it("logs in to the registry that the person's own config names", async () => {
  const got: (readonly [string | undefined, string | undefined])[] = [];
  const server = createServer((asked, answer) => {
    got.push([`${asked.method} ${asked.url}`, asked.headers.authorization]);
    answer.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}/npm/`;
  const { home, open } = await openBroker();
  await writeFile(
    join(home, ".npmrc"),
    `registry=http://${registry}\n//${registry}:_authToken=${NPM_TOKEN}\n`,
  );
  const broker = await open();
  onTestFinished(() => broker?.close());
  const addressFor = (command: string) =>
    /npm_config_registry='(.*?)'/.exec(broker?.lend(command)?.before ?? "")?.[1] ?? "";
  const install = addressFor("npm install left-pad");
  expect((await fetch(`${install}left-pad`)).status).toBe(200);
  expect((await fetch(`${install}left-pad`, { method: "PUT", body: "{}" })).status).toBe(403);
  expect((await fetch(`${install}npm/left-pad/-/left-pad-1.0.0.tgz`)).status).toBe(200);
  const publish = addressFor("npm publish");
  expect((await fetch(`${publish}left-pad`, { method: "PUT", body: "{}" })).status).toBe(200);
  expect(got).toEqual([
    ["GET /npm/left-pad", `Bearer ${NPM_TOKEN}`],
    ["GET /npm/left-pad/-/left-pad-1.0.0.tgz", `Bearer ${NPM_TOKEN}`],
    ["PUT /npm/left-pad", `Bearer ${NPM_TOKEN}`],
  ]);
});

const means = await waysToConfine();

describe.each(means)("git in a sandbox by $name", ({ own, reason }) => {
  const it = test.skipIf(reason !== undefined || process.platform !== "linux");

  it("fetches and pushes by the broker, and sees no key in its surroundings, files or answers", async () => {
    const at = await place();
    // Beside these programs nothing would be lent; what is lent to the first must not be seen by the others.
    const { bench, uses, run } = await openBrokeredBench({
      ...{ own, environment: at.environment },
      prepare: (project) => at.fillProject(project),
    });
    const pushed = await run("git push origin main");
    expect(pushed).toContain("main -> main");
    expect(at.git(join(at.served, "me/project.git"), "log", "--format=%s", "main")).toBe("first\n");
    const looked = await run(
      "git fetch -v origin; env; cat ~/.git-credentials ~/.gitconfig; cat /proc/*/environ /proc/*/cmdline; " +
        "echo host=127.0.0.1 | git credential fill; cat .git/config; GIT_CURL_VERBOSE=1 GIT_TRACE=1 git fetch origin",
      "git fetch",
    );
    expect(looked).toMatch(/main\s+-> origin\/main|up to date/);
    expect(looked).not.toContain(SECRET);
    expect(looked).not.toContain(Buffer.from(`me:${SECRET}`).toString("base64"));
    expect(await readFile(join(bench.project, ".git/config"), "utf8")).not.toContain("localhost");
    expect(uses.some((use) => use.startsWith("git push to"))).toBe(true);
    expect(uses.some((use) => use.startsWith("git fetch from"))).toBe(true);
  }, 120_000);
});

describe.skipIf(means[0]?.reason !== undefined)("an agent", () => {
  it("that pushes does so by the broker, and the log holds each use", async () => {
    const at = await place();
    const call = { name: "shell", args: { command: "git push origin main" } };
    const permission = {
      mode: "auto" as const,
      rules: [{ tool: "shell", action: "allow" as const }],
    };
    const harness = await startHarness({
      answers: [{ toolCalls: [call] }, { text: "done" }],
      environment: at.environment,
      prepare: at.fillProject,
      settings: { sandbox: "required", permission },
    });
    onTestFinished(() => harness.close());
    await harness.say("push");
    const { dataDir, projectRoot } = harness.options;
    const { entries } = await readAudit(auditFile(dataDir, projectRoot));
    expect(at.git(join(at.served, "me/project.git"), "log", "--format=%s", "main")).toBe("first\n");
    const used = entries.filter(({ outcome }) => outcome === "key used");
    expect(used[0]?.subject).toBe(`git push to ${at.origin}/me/project.git`);
    expect(JSON.stringify(harness.model.requests)).not.toContain(SECRET);
  }, 120_000);
});
