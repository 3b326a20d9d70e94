import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { servesPage } from "../../src/cli/page/find-server.ts";
import { openBrowser } from "../../src/cli/page/open-browser.ts";
import { memoryServer } from "../support/memory-server.ts";
import { patiently } from "../support/patiently.ts";
import { cliPlace, runCli } from "../support/run-cli.ts";

it("opens an item on the page of a server that runs", async () => {
  const server = await memoryServer();
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
    const args = ["open", "file:src/a.ts", "--db", "shop", "--port", port];
    const place = cliPlace();
    const { code, stdout } = await runCli(place, args, { env });
    const address = `${server.url}/ui/shop/item/file%3Asrc%2Fa.ts`;
    expect([code, stdout]).toEqual([0, `${address}\n`]);
    await expect.poll(() => existsSync(seen), { timeout: patiently(20_000) }).toBe(true);
    expect(readFileSync(seen, "utf8")).toBe(address);
    const printed = await runCli(place, ["ui", "--print", "--json", "--port", port], { env });
    expect(JSON.parse(printed.stdout).url).toMatch(/\/ui\/[\w.-]+$/);
  } finally {
    await server.end();
  }
});

it("knows a server of its own from others, and a missing browser from one that runs", async () => {
  const bare = await memoryServer({ ui: false });
  const locked = await memoryServer({ token: "s3cret" });
  try {
    expect(await servesPage(bare.url)).toBe(false);
    expect(await servesPage(locked.url)).toBe(true);
    expect(await servesPage("http://127.0.0.1:1")).toBe(false);
    expect(await openBrowser("http://x", { env: { BROWSER: "/nowhere/browser" } })).toBe(false);
  } finally {
    await bare.end();
    await locked.end();
  }
});
