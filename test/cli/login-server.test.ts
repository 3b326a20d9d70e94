// @module-tag long: starts and kills processes.
import type { ChildProcess } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Browser } from "../access/identity/support/browser.ts";
import { startTeamServer, type TeamServer } from "../access/identity/support/identity-server.ts";
import { serveMemory } from "../support/memory-server.ts";
import {
  type CliFolders,
  createCliFolders,
  runCli,
  startCli,
  waitForExit,
} from "../support/run-cli.ts";

vi.setConfig({ testTimeout: 180_000 });

let server: TeamServer;

beforeAll(async () => {
  // Expires so soon that each printed token is a renewed one.
  server = await startTeamServer({ accessMs: 60_000 });
  await server.roles.grant({ kind: "everyone", name: "" }, "write", ["shop"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
});
afterAll(() => server.end());

// The test acts as the browser.
const env = { BROWSER: "/bin/true" };
const fileOf = (folders: CliFolders) => join(folders.home, ".config/cairn/server-logins.json");

function waitForOutput(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    child.once("close", () => reject(new Error(text)));
    child.stderr?.on("data", (chunk) => {
      text += String(chunk);
      const [, found] = wanted.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

async function logIn(folders: CliFolders, answer: "yes" | "no" = "yes") {
  server.company.logsInAs = "ada";
  const child = await startCli(folders, ["login", server.url], { env });
  const ended = waitForExit(child);
  const address = await waitForOutput(child, /(http:\S+\/oauth\/authorize\S+)\n/);
  const browser = new Browser();
  const page = await browser.open(address);
  expect(page.text).toContain("cairn on the command line");
  const last = await browser.submit(page, { answer });
  return { ...(await ended), last };
}

async function statusWith(token: string) {
  const headers = { authorization: `Bearer ${token.trim()}` };
  return (await fetch(`${server.url}/api/v1/stats?db=shop`, { headers })).status;
}

it("logs in by browser, prints tokens, and logs out at the server too", async () => {
  const folders = createCliFolders();
  const { code, stdout, stderr, last } = await logIn(folders);
  expect([code, stderr.includes("error")]).toEqual([0, false]);
  expect(stdout).toContain("You are logged in.");
  expect(last.text).toContain("You are logged in. You can close this page.");
  expect(stdout + stderr).not.toMatch(/cairn_[sr]_/);
  expect(statSync(fileOf(folders)).mode & 0o777).toBe(0o600);
  // Two concurrent calls must not reuse a refresh token, which would end the session.
  const printing = ["login", `${server.url}/`, "--print-token"];
  const [first, second] = await Promise.all([runCli(folders, printing), runCli(folders, printing)]);
  expect(first.stdout).toMatch(/^cairn_s_\S+\n$/);
  expect(second.stdout).not.toBe(first.stdout);
  expect(await statusWith(first.stdout)).toBe(200);
  expect(await statusWith(second.stdout)).toBe(200);
  const asJson = await runCli(folders, [...printing, "--json"]);
  const { token } = JSON.parse(asJson.stdout) as { token: string };
  const out = await runCli(folders, ["logout", server.url]);
  expect(out.stdout).toContain("Logged out here and at the server.");
  await expect.poll(() => statusWith(token), { timeout: 30_000 }).toBe(401);
  expect(readFileSync(fileOf(folders), "utf8")).not.toContain("cairn_");
  expect((await runCli(folders, printing)).stderr).toContain(`Run: cairn login ${server.url}`);
  expect((await runCli(folders, ["logout", server.url])).stderr).toContain("No login to");
});

it("stores nothing if the user denies, and reports an expired login", async () => {
  const folders = createCliFolders();
  const refused = await logIn(folders, "no");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("The login was denied: access_denied");
  const printing = ["login", server.url, "--print-token"];
  expect((await runCli(folders, printing)).code).not.toBe(0);
  expect((await logIn(folders)).code).toBe(0);
  const person = await server.identity.people.withName("ada@example.org");
  await server.identity.sessions.endOf(person?.id ?? "");
  const over = await runCli(folders, printing);
  expect(over.code).not.toBe(0);
  expect(over.stderr).toContain(`Run: cairn login ${server.url}`);
  expect(readFileSync(fileOf(folders), "utf8")).not.toContain("cairn_");
});

it("shows a device code without a browser and waits for it", async () => {
  const folders = createCliFolders();
  server.company.logsInAs = "bruno";
  const child = await startCli(folders, ["login", server.url, "--device"], { env });
  const ended = waitForExit(child);
  const code = await waitForOutput(child, /enter this code: ([A-Z]{4}-[A-Z]{4})\n/);
  const browser = new Browser();
  const form = await browser.open(`${server.url}/oauth/device`);
  const consent = await browser.submit(form, { user_code: code });
  expect(consent.text).toContain(code);
  await browser.submit(consent, { answer: "yes" });
  expect((await ended).code).toBe(0);
  const { stdout } = await runCli(folders, ["login", server.url, "--print-token"]);
  expect(await statusWith(stdout)).toBe(200);
});

it("rejects servers without login and plain http", async () => {
  const folders = createCliFolders();
  const plain = await serveMemory();
  try {
    const none = await runCli(folders, ["login", plain.url]);
    expect(none.stderr).toContain("does not support login");
  } finally {
    await plain.end();
  }
  for (const [args, said] of [
    [["login", "http://memory.example.org"], "logins require https"],
    [["login", "https://me:secret@memory.example.org"], "give only the origin"],
    [["login", "groq", "--device"], "are for the address of a server"],
    [["login", server.url.replace("127.0.0.1", "localhost")], `address is ${server.url}`],
  ] as const) {
    const { code, stderr } = await runCli(folders, args);
    expect([args, code !== 0, stderr.includes(said)]).toEqual([args, true, true]);
  }
});
