// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWNER } from "../../src/shared/caller.ts";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("the recall log", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory({ recallLog: { recalls: 100, days: 30 } });
    const shop = server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    await shop.executeNamed(
      "recall",
      { query: "on which day do we deploy?", k: 0, episode_k: 1 },
      { caller: OWNER, surface: "mcp", client: "codex", session: "s7" },
    );
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  it("shows each session's recalls, and each item's recall count", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop`);
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "Recall log" }).waitFor();
    const session = page.getByRole("region", { name: "s7" });
    await session.getByText("on which day do we deploy?").waitFor();
    await session.locator("summary").focus();
    await page.keyboard.press("Enter");
    await session.getByText("We deploy on Tuesdays, never on Fridays.").click();
    await close();
  });

  it("does not log recalls of the page", async () => {
    const { page, close } = await openPage(
      browser,
      `${server.url}/ui/shop/recall?q=mail%20receipts`,
    );
    await page.getByText("sent 200 receipts again").first().waitFor();
    const shop = server.store.open("shop");
    const { recalls } = await shop.execute("recalls", {});
    expect(recalls.map(({ question }) => question)).not.toContain("mail receipts");
    await close();
  });

  it("explains missing results for a description in words", async () => {
    const { page, close } = await openPage(
      browser,
      `${server.url}/ui/shop/recall?q=mail%20receipts`,
    );
    await page.getByText("sent 200 receipts again").first().waitFor();
    await page.getByLabel("Missing item (id or text)").fill("the deploy decision");
    await page.keyboard.press("Enter");
    await page.getByText("Closest match: We deploy on Tuesdays, never on Fridays.").waitFor();
    await page.getByText(/^ep:5 is (?:not )?returned/).waitFor();
    await close();
  });

  const SCREENS: readonly [path: string, sign: string][] = [
    ["/recalls", "on which day do we deploy?"],
    ["/recall?q=mail&why=the%20deploy%20decision", "Closest match"],
    ["/find?as_of=2026-03-31", "As of 2026-03-31"],
    ["/item/tool%3Agateway?tab=story", "Facts and episodes about this entity"],
  ];

  it("passes the accessibility rules at 320 × 256 without scrolling sideways", async () => {
    const options = { theme: "dark", width: 320, height: 256 } as const;
    const { page, close } = await openPage(browser, `${server.url}/ui/shop`, options);
    for (const [path, sign] of SCREENS) {
      await page.goto(`${server.url}/ui/shop${path}`);
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
      expect([path, await violations(page, "dark")]).toEqual([path, []]);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([path, width]).toEqual([path, 320]);
    }
    await close();
  }, 360_000);
});
