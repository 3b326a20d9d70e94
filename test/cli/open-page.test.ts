// @module-tag long: starts server processes.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBrowser } from "../../src/cli/page/open-browser.ts";
import { hasPage } from "../../src/cli/page/show-page.ts";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { serveMemory } from "../support/memory-server.ts";
import { createCliFolders, runCli } from "../support/run-cli.ts";

it("opens an item on a running server's page", async () => {
  const server = await serveMemory();
  try {
    const browser = join(server.dataDir, "browser.sh");
    const seen = join(server.dataDir, "seen");
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`,
    );
    chmodSync(browser, 0o700);
    const { port } = new URL(server.url);
    const env = { BROWSER: browser };
    const args = ["ui", "file:src/a.ts", "--db", "shop", "--port", port];
    const folders = createCliFolders();
    const { code, stdout } = await runCli(folders, args, { env });
    const address = `${server.url}/ui/shop/item/file%3Asrc%2Fa.ts`;
    expect([code, stdout]).toEqual([0, `${address}\n`]);
    await expect.poll(() => existsSync(seen), { timeout: 60_000 }).toBe(true);
    expect(readFileSync(seen, "utf8")).toBe(address);
    const printed = await runCli(folders, ["ui", "--print", "--json", "--port", port], { env });
    expect(JSON.parse(printed.stdout).url).toMatch(/\/ui\/[\w.-]+$/);
  } finally {
    await server.end();
  }
});

it("recognizes cairn servers and missing browsers", async () => {
  const locked = await serveMemory({ token: "s3cret" });
  try {
    expect(await hasPage(locked.url)).toBe(true);
    expect(await hasPage("http://127.0.0.1:1")).toBe(false);
    expect(await openBrowser("http://x", { env: { BROWSER: "/nowhere/browser" } })).toBe(false);
  } finally {
    await locked.end();
  }
});

it("serves a project's agent next to its memory and finds it again", async () => {
  const place = createCairnFolders();
  const env = { CAIRN_PROVIDER: "ollama", CAIRN_MODEL: "m", CAIRN_SANDBOX: "false" };
  const first = await CairnProcess.start({ place, env, args: ["ui", "--print", "--port", "0"] });
  const url = await first.ready();
  await expect.poll(() => first.stdout, { timeout: 30_000 }).toContain("#agent=");
  const again = await CairnProcess.start({ place, env, args: ["ui", "--print", "--json"] });
  expect(await again.exited).toEqual({ code: 0, signal: null });
  const address = new URL(JSON.parse(again.stdout).url);
  expect(address.origin).toBe(url);
  const links = [first.stdout.trim(), address.href].map((text) => text.split("#agent=")[1]);
  expect(new Set(links).size).toBe(2);
  for (const link of links) {
    const headers = { authorization: `Bearer ${link}` };
    const session = await fetch(`${url}/agent/session`, { method: "POST", headers });
    const { token } = (await session.json()) as { token: string };
    const agent = await fetch(`${url}/agent`, { headers: { authorization: `Bearer ${token}` } });
    expect(await agent.json()).toMatchObject({ protocolVersion: 2, cwd: place.project });
  }
  const notes = join(place.home, ".local/share/cairn/tokens");
  const noted = () => readdirSync(notes).filter((name) => name.endsWith(".json"));
  expect(noted()).toHaveLength(1);
  first.child.kill("SIGTERM");
  expect(await first.exited).toEqual({ code: 0, signal: null });
  expect(noted()).toEqual([]);
});

it("has no agent with --no-agent", async () => {
  const place = createCairnFolders();
  const args = ["ui", "--print", "--no-agent", "--port", "0"];
  const server = await CairnProcess.start({ place, args });
  const url = await server.ready();
  await expect.poll(() => server.stdout).toContain("/ui/");
  expect(server.stdout).not.toContain("#");
  expect((await fetch(`${url}/agent`)).status).toBe(404);
});
