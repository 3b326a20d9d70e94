// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, memoryServer } from "../support/memory-server.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

describe.skipIf(browserPath === undefined)("what is proposed", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await memoryServer();
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const at = (path: string) => `${server.url}/ui/${path}`;

  it("keeps or refuses what is proposed, by one key each and by mouse, and takes it back", async () => {
    const memory = server.store.open("proposed");
    const propose = (content: string) =>
      memory.execute("propose", {
        content,
        episode_type: "decision",
        quotation: `They said: ${content}`,
        reason: "Nobody confirmed it yet.",
      });
    for (const content of ["We use npm.", "We use tabs.", "We use Node 22."])
      await propose(content);
    const { page, close } = await openPage(browser, at("proposed/inbox"));
    await page.getByRole("link", { name: "Proposals 3" }).waitFor();
    await page.getByRole("heading", { name: "We use Node 22." }).waitFor();
    await page.getByText("They said: We use Node 22.").waitFor();
    await page.keyboard.press("1");
    await page.getByRole("heading", { name: "We use tabs." }).waitFor();
    const open = async () => (await memory.execute("list_proposals", {})).total;
    const kept = async () =>
      (await memory.execute("items", { kinds: ["episode"] })).items.map(({ text }) => text);
    await expect.poll(kept).toEqual(["We use Node 22."]);
    await page.getByRole("button", { name: /^Do not keep it/ }).click();
    await page.getByRole("heading", { name: "We use npm." }).waitFor();
    await expect.poll(open).toBe(1);
    await page.locator("#main").focus();
    await page.keyboard.press("z");
    await expect.poll(open).toBe(2);
    await page.getByRole("heading", { name: "We use tabs." }).waitFor();
    expect(await kept()).toEqual(["We use Node 22."]);
    await close();
  });
});
