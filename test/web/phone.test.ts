// @module-tag long: a browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patiently } from "../support/patiently.ts";
import { type AgentPage, agentPage } from "./support/agent-page.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

const PHONE = { width: 360, height: 740 };

describe.skipIf(browserPath === undefined)("a phone beside the page", () => {
  let browser: Browser;
  let server: AgentPage;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await agentPage();
    writeFileSync(join(server.projectRoot, "pay.ts"), "export const retries = 3;\n");
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const noSidewaysScroll = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

  it("is paired by the code on the page, answers a question, looks on, and is revoked", async () => {
    const desk = await openPage(browser, server.address("default/inbox?part=approvals"));
    await desk.page.getByRole("button", { name: "Phones: pair one, revoke one" }).click();
    const dialog = desk.page.getByRole("dialog", { name: "Phones" });
    await dialog.getByText("No phone is paired.").waitFor();
    await dialog.getByLabel(/Listen for phones/).fill("127.0.0.1");
    await dialog.getByLabel(/Name of the phone/).fill("adas-phone");
    await dialog.getByRole("button", { name: "Show a code" }).press("Enter");
    await dialog.getByRole("img", { name: "Code that pairs a phone" }).waitFor();
    await dialog.getByText(/Over http, whoever is in this network can read along/).waitFor();
    expect(await violations(desk.page, "light")).toEqual([]);
    const link = (await dialog.locator(".pairing-link").textContent()) ?? "";

    const { page, close } = await openPage(browser, link, { ...PHONE, theme: "dark" });
    await page.getByText("The agent asks nothing.").waitFor();
    expect(page.url()).not.toContain("pair");
    await dialog.getByRole("button", { name: "Revoke adas-phone" }).waitFor();

    const content = `export const retries = 5; // ${"so that a long line runs on, ".repeat(6)}\n`;
    server.model.script(
      {
        toolCalls: [{ name: "write", args: { path: "pay.ts", content, overwrite: true } }],
      },
      { toolCalls: [{ name: "shell", args: { command: "touch paid" } }] },
      { text: ["Then **not**."] },
    );
    await server.host.create({ threadId: "pay" });
    await server.host.send("pay", "Try five times");
    const card = page.getByRole("region", { name: "May write run?" });
    await card.getByText("export const retries = 5;").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    expect(await card.getByRole("button").allTextContents()).toEqual(["Allow once ", "Deny "]);
    expect(await noSidewaysScroll(page)).toBe(true);
    expect(await violations(page, "dark")).toEqual([]);
    await card.getByRole("button", { name: "Allow once" }).click();

    const shell = page.getByRole("region", { name: "May shell run?" });
    await shell.getByText("touch paid").waitFor();
    await page.getByRole("link", { name: "Try five times" }).first().click();
    await page.getByRole("heading", { name: "Try five times" }).waitFor();
    await shell.getByRole("button", { name: "Deny" }).press("Enter");
    await shell.getByLabel(/What should it do instead/).fill("Ask Bob first");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("not", { exact: true }).waitFor();
    expect(JSON.stringify(server.model.requests.at(-1))).toContain("Ask Bob first");
    expect(await noSidewaysScroll(page)).toBe(true);
    expect(await violations(page, "dark")).toEqual([]);
    await page.goBack();
    await page.getByText("The agent asks nothing.").waitFor();
    await page.reload();
    await page.getByRole("link", { name: /Try five times/ }).waitFor();

    await dialog.getByRole("button", { name: "Revoke adas-phone" }).click();
    await page.getByRole("heading", { name: "Not paired" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Not paired" }).waitFor();
    await close();
    await desk.close();
  });

  it("sees what waits in memory, and decides nothing of it", async () => {
    await server.store.open().execute("propose", { content: "Deploys happen on <b>Tuesdays</b>" });
    const { url } = await server.phones.makeLink({});
    const { page, close } = await openPage(browser, url, PHONE);
    await page.getByText("Proposed for memory (1)").click();
    await page.getByText("Deploys happen on <b>Tuesdays</b>").waitFor();
    const answers = page.getByRole("button", { name: /keep|allow|deny|decide/i });
    expect(await answers.count()).toBe(0);
    await close();
  });

  it("is told of a question while the person looks elsewhere, once they have allowed that", async () => {
    const { url } = await server.phones.makeLink({});
    const { page, close } = await openPage(browser, url, PHONE);
    await page.getByText("The agent asks nothing.").waitFor();
    const { origin } = new URL(url);
    await page.context().grantPermissions(["notifications"], { origin });
    // A window without a screen is never hidden by itself.
    await page.addInitScript("Object.defineProperty(document, 'hidden', { get: () => true })");
    await page.reload();
    const told = () =>
      page.evaluate(async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations();
        const notices = (await registration?.getNotifications()) ?? [];
        return registration?.active === null ? undefined : notices.map(({ body }) => body);
      });
    await expect.poll(told, { timeout: patiently(15_000) }).toEqual([]);
    const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
    expect(await icon()).toBe("/ui/assets/icon.svg");
    server.model.script({ toolCalls: [{ name: "shell", args: { command: "npm publish" } }] });
    await server.host.create({ threadId: "told" });
    await server.host.send("told", "Publish it");
    await page.getByRole("region", { name: "May shell run?" }).waitFor();
    await expect.poll(told, { timeout: patiently(15_000) }).toEqual(["shell: npm publish"]);
    expect(await icon()).toBe("/ui/assets/icon-waiting.svg");
    const picture = await page.request.get(`${origin}/ui/assets/icon-waiting.svg`);
    expect(picture.headers()["content-type"]).toBe("image/svg+xml");
    await server.host.cancel("told");
    await expect.poll(icon).toBe("/ui/assets/icon.svg");
    await close();
  });

  it("says in words that a link is used up", async () => {
    const { url } = await server.phones.makeLink({});
    const first = await openPage(browser, url, PHONE);
    await first.page.getByRole("heading", { name: "Waits for you" }).waitFor();
    const second = await openPage(browser, url, PHONE);
    await second.page.getByText(/This link was opened before or is too old/).waitFor();
    await first.close();
    await second.close();
  });

  it("finds the computer again after it was away", async () => {
    const { url } = await server.phones.makeLink({ name: "bobs-phone" });
    const { page, close } = await openPage(browser, url, PHONE);
    await page.getByText("Live").waitFor();
    await page.context().setOffline(true);
    await page.evaluate(() => location.reload()).catch(() => undefined);
    await page.context().setOffline(false);
    await page.goto(new URL(url).origin);
    await page.getByText("Live").waitFor();
    await close();
  });
});
