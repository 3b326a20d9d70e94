// @module-tag long: a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { browserPath, openPage } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";
import { SHOP } from "./support/shop.ts";

const SCREENS = [
  ["", ".lines > li"],
  ["find", ".row"],
  ["item/tool%3Agateway?tab=story", ".tick"],
  ["item/ep%3A1", ".item"],
  ["inbox?part=pending", ".inbox"],
  ["recall?q=payment%20gateway", ".hit, .answer"],
  ["map?center=tool%3Agateway", ".map-label"],
  ["feed", ".change-row"],
  ["topics", ".cards tr"],
  ["databases", ".cards tr"],
  ["bin", ".lines > li"],
  ["tokens", ".inline-form"],
] as const;

const CUT_OFF = `[...document.querySelectorAll("main :is(button, input, select, textarea, .line-text, .map-label, .tick)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.closest(".tabs, .kind-tabs, table:not(.cards)") === null)
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1);
  })
  .map((one) => one.getAttribute("aria-label") ?? one.textContent ?? one.className)`;

const OUTSIDE_HEAD = `[...document.querySelectorAll(".rail-head > *")]
  .filter((one) => one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
  .map((one) => one.className)`;

const OVERLAPPING_TICKS = `[...document.querySelectorAll(".tick")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect())
  .filter(({ left }, at, all) => at > 0 && left < all[at - 1].right).length`;

describe.skipIf(browserPath === undefined)("the layout of the screens", () => {
  const served = setUpServedPage();

  beforeAll(async () => {
    const shop = served.server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    await shop.execute("remember", {
      content: "The release of mailer was rolled back after 12 minutes.",
    });
    await shop.execute("delete", { id: "ep:7" });
    const other = served.server.store.open("a-database-with-a-name-that-is-longer-than-the-rail");
    await other.execute("remember", { content: "One." });
  });

  it.each([
    [320, 256],
    [768, 1024],
    [1920, 1080],
  ])(
    "cut nothing off at %i × %i",
    async (width, height) => {
      const { page, close } = await openPage(served.browser, served.at("shop"), { width, height });
      for (const [path, present] of SCREENS) {
        await page.goto(served.at(`shop/${path}`));
        await page.locator(present).first().waitFor({ state: "attached" });
        expect([path, await page.evaluate(CUT_OFF)]).toEqual([path, []]);
        expect([path, await page.evaluate(OUTSIDE_HEAD)]).toEqual([path, []]);
        expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          path,
          width,
        ]);
        expect([path, await page.evaluate(OVERLAPPING_TICKS)]).toEqual([path, 0]);
        expect(await heightOfMain(page)).toBeGreaterThan(height * 0.7);
      }
      await close();
    },
    180_000,
  );

  it("draws each lane of a story below its title on a phone", async () => {
    const { page, close } = await openPage(
      served.browser,
      served.at("shop/item/tool%3Agateway?tab=story"),
      { width: 360, height: 740 },
    );
    await page.locator(".lane .fact-bar").first().waitFor();
    const tracks = await page
      .locator(".lane-track")
      .evaluateAll((all) => all.map((track) => track.getBoundingClientRect().width));
    expect(Math.min(...tracks)).toBeGreaterThan(280);
    await close();
  });

  it("gives list texts the full width of a phone", async () => {
    const { page, close } = await openPage(served.browser, served.at("shop/bin"), {
      width: 360,
      height: 740,
    });
    await page.getByRole("button", { name: "Restore ep:7" }).waitFor();
    const box = await page.locator(".lines .item-link").first().boundingBox();
    expect(box?.width).toBeGreaterThan(250);
    await page.goto(served.at("shop/databases"));
    const contents = await page.getByText(/^\d+ episodes/).boundingBox();
    expect(contents?.height).toBeLessThan(28);
    await close();
  });
});

async function heightOfMain(page: Page): Promise<number> {
  return (await page.locator("main").boundingBox())?.height ?? 0;
}
