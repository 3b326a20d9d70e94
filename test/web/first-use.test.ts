// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { browserPath, type OpenedPage, openPage, startBrowser } from "./support/browser.ts";
import { loadedBytes } from "./support/loaded-bytes.ts";

/** Maximum transfer size of the first view in bytes. */
const BUDGET = 60_000;

describe.skipIf(browserPath === undefined)("the first use of the page", () => {
  let browser: Browser;
  let server: AgentPage;
  let opened: OpenedPage;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startAgentPage();
    opened = await openPage(browser, "about:blank");
  });

  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await server?.end();
  });

  it("costs at most 60 kB over the wire, the agent and its connection included", async () => {
    const { page } = opened;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const bytes = await loadedBytes(page, server.address("default/agent"), () =>
      page.getByRole("button", { name: "New thread" }).waitFor(),
    );
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(BUDGET);
    expect(requests.some((path) => path.includes("/agent-connection-"))).toBe(true);
    expect(requests.filter((path) => path.endsWith(".js")).length).toBeLessThan(10);
  });

  it("logs no error to the console, without access to the agent as with it", async () => {
    for (const address of [`${server.url}/ui/default`, server.address("default")]) {
      const { page, close } = await openPage(browser, "about:blank");
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      await page.goto(address);
      await page.getByRole("link", { name: "Agent" }).waitFor();
      await page.goto(`${server.url}/ui/default/agent`);
      await page.getByRole("button", { name: /^(New thread|Unlock)$/ }).waitFor();
      expect(errors).toEqual([]);
      await close();
    }
  });
});
