// @module-tag long: a browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

const ANSWER = [
  "| Step | Cost | Why it is needed |",
  "| --- | ---: | --- |",
  "| Count | 3 | The gateway charges twice when a retry has no key |",
  "",
  "```ts",
  `export const key = "${"x".repeat(300)}";`,
  "```",
].join("\n");

/** Controls that are visible but not clickable, because they are clipped or covered. */
const UNREACHABLE = `(() => {
  const boxes = [...document.querySelectorAll("main button, main select, main textarea, main a")];
  const scrolled = ".stream, .threads, .side-panel, .tasks, .queue";
  return boxes
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest(scrolled) === null)
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) return true;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return hit === null || !(one.contains(hit) || hit.contains(one));
    })
    .map((one) => one.getAttribute("aria-label") ?? one.textContent);
})()`;

describe.skipIf(browserPath === undefined)("the layout of the agent screen", () => {
  let browser: Browser;
  let server: AgentPage;
  let path: string;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startAgentPage();
    writeFileSync(join(server.projectRoot, "pay.ts"), "export const retries = 3;\n");
    const items = [
      { text: "Read the gateway", state: "done" },
      { text: "Change the retries", state: "running" },
    ];
    const args = { path: "pay.ts", content: "export const retries = 5;\n", overwrite: true };
    server.model.script(
      { toolCalls: [{ name: "todo", args: { items } }] },
      { text: ANSWER, toolCalls: [{ name: "write", args }] },
    );
    const { page, close } = await openPage(browser, server.address("default/agent"));
    const field = page.getByLabel("Message to the agent");
    await field.fill(
      "How often are payments retried at the gateway, and what should change there?",
    );
    await field.press("Enter");
    await page.locator(".permission").waitFor();
    await field.fill("And then run the tests of the gateway");
    await field.press("Enter");
    await page.locator(".queue-text").waitFor();
    path = new URL(page.url()).pathname.slice("/ui/".length);
    await close();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not visible.`);
    return box;
  };

  it.each([
    [360, 740, "light"],
    [768, 1024, "dark"],
    [1280, 800, "light"],
    [1920, 1080, "dark"],
  ] as const)("shows every part and covers none at %i × %i in %s", async (width, height, theme) => {
    const opened = await openPage(browser, server.address(path), { width, height, theme });
    const { page, close } = opened;
    await page.locator(".permission").waitFor();
    await page.locator(".queue-text").waitFor();
    const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
    expect(scrollWidth).toBe(width);
    expect(await page.evaluate(UNREACHABLE)).toEqual([]);
    const title = await boxOf(page, ".thread-head h1");
    expect(title.height).toBeLessThan(32);
    expect(title.width).toBeGreaterThan(150);
    const [stream, tasks, queue, field] = [
      await boxOf(page, ".stream"),
      await boxOf(page, ".tasks"),
      await boxOf(page, ".queue"),
      await boxOf(page, ".composer textarea"),
    ];
    const tops = [stream, tasks, queue, field].map(({ y }) => y);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    expect(field.y - (queue.y + queue.height)).toBeLessThan(40);
    expect(stream.height).toBeGreaterThan(height / 4);
    expect((await boxOf(page, ".permission")).width).toBeGreaterThan(Math.min(width - 60, 500));
    expect(await violations(page, theme)).toEqual([]);
    await close();
  });

  it.each([
    [320, 256],
    [360, 420],
  ])("keeps composer and conversation usable at %i × %i", async (width, height) => {
    const { page, close } = await openPage(browser, server.address(path), { width, height });
    await page.locator(".permission").waitFor();
    const field = page.getByLabel("Message to the agent");
    await field.focus();
    await field.fill("Use five retries.");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const box = await boxOf(page, ".composer");
    expect(box.y + box.height).toBeLessThanOrEqual(height + 1);
    expect(box.height).toBeLessThan(height / 2);
    expect((await boxOf(page, ".stream")).height).toBeGreaterThan(height * 0.4);
    const send = await boxOf(page, ".composer button[type=submit]");
    expect(send.y + send.height).toBeLessThanOrEqual(height);
    await page.getByRole("button", { name: /^Deny/ }).scrollIntoViewIfNeeded();
    await close();
  });

  it("fills a phone with the threads above the composer if no thread is open", async () => {
    const address = server.address("default/agent");
    const { page, close } = await openPage(browser, address, { width: 360, height: 740 });
    await page.locator(".thread-link").first().waitFor();
    expect(await page.evaluate(UNREACHABLE)).toEqual([]);
    const [threads, composer] = [await boxOf(page, ".threads"), await boxOf(page, ".composer")];
    expect(composer.y).toBeGreaterThanOrEqual(threads.y + threads.height);
    expect(threads.height).toBeGreaterThan(350);
    await close();
  });

  it.each([
    [360, 740],
    [1280, 800],
  ])("leaves room for the conversation next to a panel at %i × %i", async (width, height) => {
    const address = server.address(`${path}?panel=changes`);
    const { page, close } = await openPage(browser, address, { width, height });
    const panel = page.getByRole("complementary", { name: "Changes" });
    await panel.waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect((await panel.boundingBox())?.width).toBeGreaterThan(250);
    if (width > 800) {
      expect(await page.evaluate(UNREACHABLE)).toEqual([]);
      expect((await boxOf(page, ".thread")).width).toBeGreaterThan(500);
    }
    await panel.getByRole("button", { name: "Close panel" }).click();
    await panel.waitFor({ state: "detached" });
    await close();
  });
});
