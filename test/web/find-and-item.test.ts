// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("finding and opening items", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory();
    await server.store.open("shop").execute("apply", { changeset: SHOP });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  it("opens the default database, filters while typing and shows an item next to the list", async () => {
    const { page, close } = await openPage(browser, server.url);
    await page.waitForURL("**/ui/default");
    await page.goto(`${server.url}/ui/shop/find`);
    await page.getByRole("row").first().waitFor();
    await page.getByRole("searchbox").fill("customers");
    await expect.poll(() => page.getByRole("row").count()).toBe(1);
    expect(page.url()).toContain("q=customers");
    await page.getByRole("row").getByText("A retry after a timeout").click();
    const panel = page.getByRole("complementary");
    await panel.locator(".text", { hasText: "charged 14 customers twice." }).waitFor();
    expect(page.url()).toContain("sel=ep%3A3");
    await page.goBack();
    await expect.poll(() => panel.count()).toBe(0);
    await close();
  });

  it("searches for text that is typed after `/`, also before the list has loaded", async () => {
    const shop = server.store.open("shop");
    const before = (await shop.execute("changes", { limit: 1 })).changes[0]?.id;
    const { page, close } = await openPage(browser, `${server.url}/ui/shop`);
    const held: { load?: () => Promise<void> } = {};
    await page.route("**/find-screen-*.js", (route) => {
      held.load = () => route.continue();
    });
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.keyboard.type("/jar");
    await expect.poll(() => held.load).toBeDefined();
    await held.load?.();
    const field = page.getByRole("searchbox");
    await expect.poll(() => field.inputValue()).toBe("jar");
    await page.keyboard.type(" rule");
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("jar rule");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect((await shop.execute("changes", { limit: 1 })).changes[0]?.id).toBe(before);
    await close();
  });

  it.each([
    ["Facts", /^(fact|cluster)$/, 2],
    ["Concepts", /^(pattern|cluster)$/, 2],
    ["Entities", /^(file|tool|project|function)$/, 4],
  ] as const)("lists only %s if requested", async (title, type, count) => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/find`);
    await page.getByRole("row").nth(4).waitFor();
    await page.getByRole("link", { name: new RegExp(`^${title} `) }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(count);
    const types = await page.getByRole("row").locator(".type").allTextContents();
    expect(types.filter((name) => !type.test(name))).toEqual([]);
    await close();
  });

  it("edits by keyboard only and undoes it", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/find?type=decision`);
    await page.getByRole("row").first().waitFor();
    for (const key of ["j", "o"]) await page.keyboard.press(key);
    await page.waitForURL("**/item/ep%3A5");
    await page.getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Content" }).fill("We deploy on Mondays.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText("Changed ep:5.").waitFor();
    await page.locator(".text", { hasText: "We deploy on Mondays." }).waitFor();
    await pressShortcut(page, "z");
    await page.locator(".text", { hasText: "We deploy on Tuesdays" }).waitFor();
    await close();
  });

  it("shows yours and theirs when two pages edit one item", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/shop/item/ep%3A4`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Content" }).fill("Mine.");
    const shop = server.store.open("shop");
    await shop.execute("update_episode", { episode_id: "ep:4", content: "Theirs." });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("was changed by someone else").waitFor();
    await page.getByText("Stored: Theirs.").waitFor();
    await page.getByRole("button", { name: /^Overwrite/ }).click();
    await page.getByRole("status").getByText("Changed ep:4.").waitFor();
    const saved = await shop.execute("get_episode", { episode_id: "ep:4" });
    expect(saved.content).toBe("Mine.");
    await close();
  });
});
