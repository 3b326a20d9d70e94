// @module-tag long: a browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { browserPath, openPage, startBrowser } from "../support/browser.ts";

describe.skipIf(browserPath === undefined)("the map", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory();
    const young = server.store.open("young");
    for (let n = 0; n < 24; n += 1) {
      await young.execute("remember", {
        content: `Note ${n} about the deploy of part ${n % 5}.`,
        entities: [`module:m${n % 5}`, "tool:kubernetes"],
      });
    }
    const relation = { source: "module:m1", target: "tool:kubernetes", relation: "depends_on" };
    await young.execute("entity_relation", relation);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const at = (path: string) => `${server.url}/ui/young/map${path}`;
  const label = (page: Page, name: string) => page.getByRole("button", { name, exact: false });

  it("starts with entities if there are no concepts, and is one tab stop", async () => {
    const { page, close } = await openPage(browser, at(""));
    await label(page, "kubernetes, tool, 25 connected").waitFor();
    expect(await page.locator(".map-label[tabindex='0']").count()).toBe(1);
    expect(await page.locator(".map-label").count()).toBeGreaterThan(6);
    await close();
  }, 180_000);

  it("is walked by arrows, selected and expanded by Enter, zoomed by + and 0", async () => {
    const { page, close } = await openPage(browser, at(""));
    await label(page, "kubernetes, tool").focus();
    const before = await focusedName(page);
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await expect.poll(() => focusedName(page)).not.toBe(before);
    const name = (await focusedName(page)) ?? "";
    await page.keyboard.press("Enter");
    await page.locator(".map-panel").waitFor();
    await expect.poll(() => page.locator(".map-label[aria-pressed='true']").count()).toBe(1);
    expect(await focusedName(page)).toBe(name);
    const size = await page.locator(".map-label[aria-pressed='true']").boundingBox();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await page.waitForFunction("new Promise((done) => requestAnimationFrame(() => done(true)))");
    expect((await page.locator(".map-label[aria-pressed='true']").boundingBox())?.height).toBe(
      size?.height,
    );
    await page.keyboard.press("0");
    await page.keyboard.press("Enter");
    await page.waitForURL(/center=/);
    await close();
  }, 180_000);

  it("selects by mouse, names the relations, zooms at the pointer, and deselects", async () => {
    const { page, close } = await openPage(browser, at("?kinds=entity"));
    await label(page, "m1, module").click();
    await page.locator(".map-name", { hasText: "depends on" }).waitFor();
    await page.locator(".map-panel").getByText("→ depends on").waitFor();
    const box = await label(page, "m1, module").boundingBox();
    if (box === null) throw new Error("The label is not to be seen.");
    // The circle is above its label; zooming at this point keeps it in place.
    const point = { x: box.x + box.width / 2, y: box.y - 6 };
    await page.mouse.move(point.x, point.y);
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -100);
    await expect
      .poll(async () => {
        const now = await label(page, "m1, module").boundingBox();
        return now === null ? 999 : Math.abs(now.x + now.width / 2 - point.x);
      })
      .toBeLessThan(6);
    await page.mouse.move(point.x + 200, point.y + 150);
    await page.mouse.click(point.x + 200, point.y + 150);
    await expect.poll(() => page.locator(".map-panel").count()).toBe(0);
    await close();
  }, 180_000);
});

function focusedName(page: Page): Promise<string | null> {
  return page.evaluate("document.activeElement?.getAttribute('aria-label') ?? null");
}
