// @module-tag long: a browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

const LONG = "A sentence that goes on. ".repeat(100);

describe.skipIf(browserPath === undefined)("data that a user relies on", () => {
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

  const at = (path: string) => `${server.url}/ui/${path}`;
  const content = (page: Page) => page.getByRole("textbox", { name: "Content" });

  it("undoes an edit with a long response by key", async () => {
    const memory = server.store.open("undo");
    await memory.execute("remember", { content: LONG });
    const { page, close } = await openPage(browser, at("undo/item/ep%3A1"));
    await page.getByRole("button", { name: "Edit" }).click();
    await content(page).fill(`${LONG} Changed.`);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByRole("button", { name: /^Undo/ }).waitFor();
    await pressShortcut(page, "z");
    await expect
      .poll(async () => (await memory.execute("get_episode", { episode_id: "ep:1" })).content)
      .toBe(LONG);
    await close();
  });

  it("leaves Enter and arrows to the link, button or tab that has the focus", async () => {
    const { page, close } = await openPage(browser, at("shop/find"));
    await page.getByRole("row").first().waitFor();
    await page.getByRole("link", { name: "Recall", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/shop/recall");
    await page.goto(at("shop/find?sel=ep%3A3"));
    await page.getByRole("tab", { name: "Related" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("[role=tab][aria-selected=true]", { hasText: "History" }).waitFor();
    expect(page.url()).toContain("sel=ep%3A3");
    await page.getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    await content(page).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close the item" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("complementary").count()).toBe(0);
    await page.getByRole("grid").focus();
    await pressShortcut(page, "j");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").waitFor();
    await close();
  });

  it("keeps unsaved edits between screens, and prompts before it discards them", async () => {
    await server.store.open("drafts").execute("remember", { content: "As it was" });
    const address = at("drafts/item/ep%3A1");
    const { page, close } = await openPage(browser, address);
    await page.getByRole("button", { name: "Edit" }).click();
    await content(page).fill("Half a thought");
    const isKept = async () => {
      await content(page).waitFor();
      expect(await content(page).inputValue()).toBe("Half a thought");
    };
    await page.getByRole("link", { name: "Memory", exact: true }).click();
    await page.getByRole("row").getByText("unsaved draft").waitFor();
    await page.goBack();
    await isKept();
    await content(page).press("Escape");
    await page.getByText("Unsaved changes.").waitFor();
    await isKept();
    const pending = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const question = await pending;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    await isKept();
    await server.store.open("drafts").execute("delete", { id: "ep:1" });
    await page.getByText("save your draft").waitFor();
    await page.getByText("Half a thought").waitFor();
    await page.getByRole("button", { name: "Restore" }).click();
    await isKept();
    await content(page).press("Escape");
    await content(page).press("Escape");
    await page.locator(".text", { hasText: "As it was" }).waitFor();
    await page.reload();
    await page.locator(".text", { hasText: "As it was" }).waitFor();
    expect(await content(page).count()).toBe(0);
    await close();
  });

  it("reports a concurrent edit while typing, and shows both versions", async () => {
    const memory = server.store.open("both");
    await memory.execute("remember", { content: "As it was" });
    const { page, close } = await openPage(browser, at("both/item/ep%3A1"));
    await page.getByRole("button", { name: "Edit" }).click();
    await content(page).fill("Mine");
    await memory.execute("update_episode", { episode_id: "ep:1", content: "Theirs now" });
    await page.getByText("while you were editing").waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Stored: Theirs now").waitFor();
    await page.getByRole("button", { name: /^Overwrite/ }).click();
    await page.locator(".text", { hasText: "Mine" }).waitFor();
    await close();
  });

  it("shows the last of two quick writes, also with slow responses", async () => {
    const memory = server.store.open("quick");
    await memory.execute("remember", { content: "version zero" });
    const { page, close } = await openPage(browser, at("quick/item/ep%3A1"));
    await page.locator(".text", { hasText: "version zero" }).waitFor();
    const request: { begun?: () => void; go?: () => void } = {};
    const begun = new Promise<void>((resolve) => {
      request.begun = resolve;
    });
    const go = new Promise<void>((resolve) => {
      request.go = resolve;
    });
    await page.route("**/api/v1/episodes/ep%3A1?*", async (route) => {
      const response = await route.fetch();
      request.begun?.();
      await go;
      await route.fulfill({ response });
    });
    await memory.execute("update_episode", { episode_id: "ep:1", content: "version one" });
    await begun;
    const seen = page.waitForResponse((answer) => answer.url().includes("/history/ep%3A1"));
    await page.getByRole("tab", { name: "History" }).click();
    await seen;
    const again = page.waitForResponse((answer) => answer.url().includes("/history/ep%3A1"));
    await memory.execute("update_episode", { episode_id: "ep:1", content: "version two" });
    await again;
    request.go?.();
    await page.locator(".text", { hasText: "version two" }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close();
  });

  it("has no hole in the feed after many changes came while one read", async () => {
    const memory = server.store.open("feed");
    for (let n = 1; n <= 45; n += 1) await memory.execute("remember", { content: `Old ${n}` });
    const { page, close } = await openPage(browser, at("feed/feed"));
    await page.getByText("Old 45").waitFor();
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 300);
    await page.getByText("Paused").waitFor();
    for (let n = 1; n <= 70; n += 1) await memory.execute("remember", { content: `New ${n}` });
    await page.getByRole("button", { name: "more than 40 new" }).click({ timeout: 90_000 });
    await page.getByText("New 70").waitFor();
    const numbersShown = async () =>
      (await page.getByRole("link", { name: /^change:\d+$/ }).allTextContents()).map((text) =>
        Number(text.slice(7)),
      );
    const first = await numbersShown();
    expect(first).toEqual(first.map((_, index) => (first[0] ?? 0) - index));
    await page.getByRole("link", { name: "Older" }).click();
    await expect.poll(async () => (await numbersShown())[0]).toBe((first.at(-1) ?? 0) - 1);
    await close();
  });

  it("reports a missing change, and shows a large one completely", async () => {
    const memory = server.store.open("large");
    const changeset = Array.from({ length: 260 }, (_, n) => `remember "Line ${n}"`).join("\n");
    await memory.execute("apply", { changeset });
    const { page, close } = await openPage(browser, at("large/feed?change=change:99999"));
    await page.getByText("No change change:99999").waitFor();
    expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
    await page.goto(at("large/feed?change=change:1"));
    await page.getByRole("button", { name: "Show 200 of 210 more" }).click();
    await page.getByRole("button", { name: "Show 10 of 10 more" }).click();
    await page.getByRole("link", { name: "ep:260" }).waitFor();
    await page.getByRole("button", { name: "Undo change:1" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo change:1?" });
    await dialog.getByText("This reverts all 260 steps of the change.").waitFor();
    await dialog.getByRole("button", { name: "Undo" }).click();
    await page.getByText("undone by change:2").waitFor();
    await close();
  });

  it("is usable on a phone: list first, filters in a sheet, a back button on items", async () => {
    const { page, close } = await openPage(browser, at("shop/find"), { width: 360, height: 740 });
    const first = page.getByRole("row").first();
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(260);
    expect((await page.locator(".facets").boundingBox()) ?? undefined).toBeUndefined();
    await page.getByRole("button", { name: "Filters" }).click();
    const value = page.locator(".facet-value").first();
    await value.waitFor();
    expect((await value.boundingBox())?.width).toBeGreaterThan(40);
    await page.getByRole("checkbox", { name: /outcome/ }).check();
    await page.getByRole("button", { name: "Show results" }).click();
    await page.getByRole("button", { name: "Filters (1)" }).waitFor();
    await page.getByRole("row").first().locator(".cell-main").click();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.getByRole("row").first().waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Topics", exact: true }).click();
    await page.getByRole("heading", { name: "Topics and labels" }).waitFor();
    await close();
  });

  it("sets the window title and focus per screen", async () => {
    const { page, close } = await openPage(browser, at("shop"));
    await page.getByRole("heading", { name: "shop" }).waitFor();
    expect(await page.title()).toBe("Home · shop · cairn");
    for (const key of ["g", "e"]) await page.keyboard.press(key);
    await expect.poll(() => page.title()).toBe("Feed · shop · cairn");
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    await close();
  });

  it("narrows feed and list to a day", async () => {
    const { page, close } = await openPage(browser, at("shop/feed"));
    await page
      .getByText("We deploy on Tuesdays")
      .or(page.getByText("more by apply"))
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Yesterday" }).click();
    await page.getByText(/^No changes \d/).waitFor();
    const today = new Date().toISOString().slice(0, 10);
    const field = page.getByLabel("Day", { exact: true });
    expect(await field.getAttribute("placeholder")).toBe("YYYY-MM-DD");
    await field.fill("03/31/2026");
    await field.press("Enter");
    expect(await field.evaluate("document.activeElement.matches(':user-invalid')")).toBe(true);
    await field.fill(today);
    await field.press("Enter");
    await page.getByText("more by apply").waitFor();
    await page.goto(at("shop/find"));
    await page.getByLabel("Day", { exact: true }).fill("2026-03-10");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("row").count()).toBe(1);
    await close();
  });

  it.each([
    ["csv", /^id,kind,type[^\n]*\r\n(?:[^\n]*\r\n){1}$/],
    ["json", /^\[\n\{[^{]*"id":"ep:5"/],
    ["md", /^- We deploy on Tuesdays, never on Fridays\. \(decision, /],
  ])("saves the list that is filtered as .%s", async (format, form) => {
    const { page, close } = await openPage(browser, at("shop/find?type=decision"));
    await page.getByRole("row").first().waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: `Save as .${format}` }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe(`shop-items.${format}`);
    const { readFile } = await import("node:fs/promises");
    expect(await readFile(await download.path(), "utf8")).toMatch(form);
    await close();
  });
});
