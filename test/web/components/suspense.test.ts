// @module-tag long: a browser.
import { describe, expect, it } from "vitest";
import { browserPath, openPage } from "../support/browser.ts";
import { setUpServedPage } from "../support/served-page.ts";

describe.skipIf(browserPath === undefined)("a screen loaded on demand", () => {
  const served = setUpServedPage();

  it("shows a screen that another instance loads between rendering and effects", async () => {
    const { page, close } = await openPage(served.browser, "about:blank");
    // Preact runs effects after the next frame or a timeout; both are delayed by a second here.
    await page.addInitScript(() => {
      const { requestAnimationFrame: frame, setTimeout: timeout } = window;
      const later = { delay: 0, set: (ms: number) => (later.delay = ms) };
      Object.assign(window, {
        delayEffects: later.set,
        requestAnimationFrame: (run: FrameRequestCallback) =>
          later.delay > 0 ? timeout(() => frame(run), later.delay) : frame(run),
        setTimeout: (run: () => void, ms = 0) => timeout(run, ms + later.delay),
      });
    });
    const held: { release?: () => Promise<void> } = {};
    await page.route(/find-screen-\w+\.js/, (route) => {
      held.release = () => route.continue();
    });
    await page.goto(served.at("suspense"));
    const main = page.getByRole("navigation").first();
    await main.getByRole("link", { name: "Memory" }).click();
    await expect.poll(() => held.release).toBeDefined();
    await main.getByRole("link", { name: "Home" }).click();
    await page.evaluate("delayEffects(1000)");
    await main.getByRole("link", { name: "Memory" }).click();
    await held.release?.();
    await page.getByRole("searchbox").waitFor();
    await close();
  });
});
