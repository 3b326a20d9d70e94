// @module-tag long: a browser.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("lists and views of them", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory();
    const shop = server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    await shop.execute("propose", { content: "=1+1 | **bold**, said by nobody." });
    await shop.execute("remember", { content: "Not wanted." });
    await shop.execute("delete", { id: "ep:7" });
    for (const name of ["tool:Git Hub", "tool:git-hub"]) {
      await shop.execute("entity_relation", { source: name, target: "tool:x", relation: "uses" });
    }
    const formula = server.store.open("formula");
    await formula.execute("remember", { content: "=1+1 | **bold**, said by nobody." });
    const long = server.store.open("long");
    const rows = Array.from({ length: 1_203 }, (_, index) => `remember "Number ${index}."`);
    await long.execute("apply", { changeset: rows.join("\n") });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const at = (path: string) => `${server.url}/ui/${path}`;
  const save = async (page: Page, format: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.locator("[role=menuitem]:focus").waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: `Save as .${format}` }).press("Enter");
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(new RegExp(`-items\\.${format}$`));
    return readFile(await download.path(), "utf8");
  };

  it("are saved as .csv, .json and .md", async () => {
    const { page, close } = await openPage(browser, at("shop/find"));
    const row = "Make side effects idempotent";
    const csv = await save(page, "csv");
    expect(csv.split("\r\n", 1)[0]).toMatch(/^\w+(,\w+)+$/);
    expect(csv).toContain(row);
    expect(JSON.stringify(JSON.parse(await save(page, "json")))).toContain(row);
    expect(await save(page, "md")).toContain(row);
    await close();
  });

  it("escape texts that would be a formula or a table", async () => {
    const { page, close } = await openPage(browser, at("formula/find"));
    expect(await save(page, "csv")).toContain(`"'=1+1 | **bold**, said by nobody."`);
    expect(await save(page, "md")).toContain("=1+1 \\| \\*\\*bold\\*\\*, said");
    await close();
  });

  it("are saved whole, however long they are", async () => {
    const { page, close } = await openPage(browser, at("long/find"));
    const requests: string[] = [];
    page.on("request", (request) => {
      if (/[?&]cursor=/.test(request.url())) requests.push(request.url());
    });
    const items = JSON.parse(await save(page, "json")) as { text: string }[];
    expect(new Set(items.map(({ text }) => text)).size).toBe(1_203);
    expect(requests.length).toBeGreaterThanOrEqual(2);
    await close();
  });

  it("show all of the trash and count its items", async () => {
    const full = server.store.open("full");
    const rows = Array.from({ length: 431 }, (_, index) => [
      `remember "Number ${index}." as=n${index}`,
      `delete id=$n${index}`,
    ]);
    await full.execute("apply", { changeset: rows.flat().join("\n") });
    const { page, close } = await openPage(browser, at("full/bin"));
    await page.getByRole("link", { name: "Episodes 431" }).waitFor();
    const shown = page.getByRole("button", { name: /^Restore ep:/ });
    for (const count of [200, 400]) {
      await expect.poll(() => shown.count()).toBe(count);
      await page.getByRole("button", { name: "Show more" }).press("Enter");
    }
    await expect.poll(() => shown.count()).toBe(431);
    await shown.last().click();
    await page.getByRole("link", { name: "Episodes 430" }).waitFor();
    await expect.poll(() => shown.count()).toBe(430);
    expect(await violations(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "Concepts 0" }).click();
    await page.getByText("The trash is empty.").waitFor();
    await close();
  });

  it("match the page's point in time if the engine supports it", async () => {
    const { page, close } = await openPage(browser, at("shop/inbox?part=conflicts"));
    await page.getByText("timeout of 30 seconds").first().waitFor();
    await page.getByRole("button", { name: "View memory as of a date" }).click();
    await page.getByRole("textbox", { name: "Date" }).fill("2020-01-01");
    await page.keyboard.press("Enter");
    await page.getByText("No open conflicts.").waitFor();
    await page.getByText("As of 2020-01-01: opened by then and still open.").waitFor();
    const shown: readonly [path: string, sign: string][] = [
      ["inbox?part=collisions", "No possible conflicts."],
      ["inbox?part=proposals", "No open proposals."],
      ["map?center=tool%3Agateway", "As of 2020-01-01: items valid then."],
      ["recalls", "No recalls match these filters."],
      ["topics", "this screen shows current data"],
    ];
    for (const [path, sign] of shown) {
      await page.goto(at(`shop/${path}${path.includes("?") ? "&" : "?"}as_of=2020-01-01`));
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
    }
    await close();
  });
});
