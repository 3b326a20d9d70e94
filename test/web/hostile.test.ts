// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(browserPath === undefined)("a page among hostile texts", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory({ token: "s3cret" });
    const memory = server.store.open();
    await memory.execute("remember", {
      content: `${MARKUP} \u202Eevil\u202C`,
      source_ref: "javascript:document.title=3",
      asserted_by: MARKUP,
      entities: [`tool:${MARKUP}`],
    });
    await memory.execute("remember", { content: "x ".repeat(500_000) });
    const labels = Array.from({ length: 1_000 }, (_, n) => `key${n}=value`);
    await memory.execute("remember", { content: "Much labelled", labels });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  it("requests the token once per tab, then shows everything as text", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/default/find`);
    const field = page.getByLabel("Token");
    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("is not the one this server was started with").waitFor();
    await field.fill("s3cret");
    await page.keyboard.press("Enter");
    await page.getByRole("row").getByText(MARKUP).first().waitFor();
    await page.goto(`${server.url}/ui/default/item/ep%3A1`);
    await page.locator(".text", { hasText: "<script>" }).waitFor();
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toBe("ep:1 · default · cairn");
    const body = (await page.locator(".text").textContent()) ?? "";
    expect(body).toContain("U+202EevilU+202C");
    expect(await page.locator("main").innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    expect(page.url()).not.toContain("s3cret");
    await close();
  });

  it("folds a mebibyte of text and a thousand labels", async () => {
    const { page, close } = await openPage(browser, `${server.url}/ui/default/item/ep%3A2`);
    await page.getByLabel("Token").fill("s3cret");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Show all/ }).waitFor();
    expect((await page.locator(".text").textContent())?.length).toBeLessThan(10_000);
    await page.goto(`${server.url}/ui/default/item/ep%3A3`);
    await page.getByText("and 800 more").waitFor();
    await close();
  });
});
