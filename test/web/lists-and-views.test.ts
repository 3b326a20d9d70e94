// @module-tag long: a browser.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, memoryServer } from "../support/memory-server.ts";
import { patiently } from "../support/patiently.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("lists and views of them", () => {
  let server: MemoryServer;
  let browser: Browser;
  /** Id of the concept. */
  let rule: string;

  beforeAll(async () => {
    server = await memoryServer();
    const shop = server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    await shop.execute("propose", { content: "=1+1 | **bold**, said by nobody." });
    await shop.execute("remember", { content: "Not wanted." });
    await shop.execute("delete", { id: "ep:7" });
    for (const name of ["tool:Git Hub", "tool:git-hub"]) {
      await shop.execute("entity_relation", { source: name, target: "tool:x", relation: "uses" });
    }
    const { concepts } = await shop.execute("list_concepts", {});
    rule = concepts.find(({ title }) => title === "Make side effects idempotent")?.id ?? "";
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
  const save = async (page: Page, name: string, format: string) => {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save the ${name} as .${format}` }).press("Enter");
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(new RegExp(`-${name}\\.${format}$`));
    return readFile(await download.path(), "utf8");
  };

  /** Every list of the page, with a row that has to be in its file. */
  const LISTS: readonly [path: string, name: string, row: string][] = [
    ["find", "items", "Make side effects idempotent"],
    ["feed", "changes", "change:1"],
    ["inbox?part=conflicts", "conflicts", "timeout of 30 seconds"],
    ["inbox?part=collisions", "collisions", ""],
    ["inbox?part=proposals", "proposals", "said by nobody"],
    ["inbox?part=duplicates", "duplicates", "tool:git-hub"],
    ["inbox?part=pending", "pending", "deploy on Tuesdays"],
    ["topics", "topics", "Everything about charging customers"],
    ["topics", "labels", "billing"],
    ["recalls", "recalls", ""],
    ["recalls?list=never", "never-recalled", "ep:1"],
    ["databases", "databases", "shop"],
    ["bin", "deleted-episodes", "Not wanted."],
    ["map?center=tool%3Agateway&view=table", "connections", "tool:gateway"],
    ["map?center=tool%3Agateway&view=table", "mapped", "tool:gateway"],
    ["item/tool%3Agateway?tab=story&story=table", "story", "in Brazil"],
    ["item/tool%3Agateway?tab=facts", "facts", "timeout of 30 seconds"],
    ["item/tool%3Agateway?tab=episodes", "episodes", "in Brazil"],
    ["item/tool%3AGit%20Hub?tab=relations", "relations", "tool:x"],
    ["item/THE-RULE?tab=evidence", "evidence", "charged 14 customers"],
    ["item/ep%3A1?tab=neighbours", "session", "timeout of 10 seconds"],
    ["item/ep%3A1?tab=neighbours", "connected", "gateway"],
    ["item/ep%3A1?tab=history", "history", "change:1"],
  ];

  it(
    "are saved as .csv, .json and .md, each of them",
    async () => {
      const { page, close } = await openPage(browser, at("shop"));
      for (const [path, name, row] of LISTS) {
        await page.goto(at(`shop/${path.replace("THE-RULE", rule)}`));
        const csv = await save(page, name, "csv");
        expect([name, csv.split("\r\n", 1)[0]]).toEqual([
          name,
          expect.stringMatching(/^\w+(,\w+)+$/),
        ]);
        expect(csv).toContain(row);
        const json = await save(page, name, "json");
        expect([name, Array.isArray(JSON.parse(json))]).toEqual([name, true]);
        if (row !== "") expect(JSON.parse(json).length).toBeGreaterThan(0);
        const md = await save(page, name, "md");
        expect([name, row === "" || md.length > 10]).toEqual([name, true]);
      }
      await close();
    },
    patiently(120_000),
  );

  it("hold texts that would be a formula or a table", async () => {
    const { page, close } = await openPage(browser, at("shop/inbox?part=proposals"));
    expect(await save(page, "proposals", "csv")).toContain(`"'=1+1 | **bold**, said by nobody."`);
    expect(await save(page, "proposals", "md")).toContain("=1+1 \\| \\*\\*bold\\*\\*, said");
    await close();
  });

  it("are saved whole, however long they are", async () => {
    const { page, close } = await openPage(browser, at("long/find"));
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/[?&]cursor=/.test(request.url())) asked.push(request.url());
    });
    const items = JSON.parse(await save(page, "items", "json")) as { text: string }[];
    expect(new Set(items.map(({ text }) => text)).size).toBe(1_203);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    await close();
  });

  it("show and save all of the bin, and count what is in it", async () => {
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
      await page.getByRole("button", { name: "Show older ones" }).press("Enter");
    }
    await expect.poll(() => shown.count()).toBe(431);
    const saved = JSON.parse(await save(page, "deleted-episodes", "json")) as { text: string }[];
    expect(new Set(saved.map(({ text }) => text)).size).toBe(431);
    await shown.last().click();
    await page.getByRole("link", { name: "Episodes 430" }).waitFor();
    await expect.poll(() => shown.count()).toBe(430);
    expect(await violations(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "Concepts 0" }).click();
    await page.getByText("Nothing was deleted.").waitFor();
    await close();
  });

  it("are kept as views by name, in the rail and the palette, for every tab", async () => {
    const { page, close } = await openPage(browser, at("shop/find?type=decision&sel=ep%3A5"));
    await page.getByRole("row").first().waitFor();
    await page.locator("#main").focus();
    await page.keyboard.press("V");
    await page.getByLabel("Name for what Find shows now").fill("Decided");
    await page.keyboard.press("Enter");
    const rail = page.getByRole("navigation", { name: "Screens" });
    await rail.getByRole("link", { name: "Decided" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(at("shop/feed?kind=remembered"));
    await other.getByRole("link", { name: "Decided" }).waitFor();
    await other.locator("#main").focus();
    await other.keyboard.press("V");
    await other.getByLabel("Name for what Feed shows now").fill("Written");
    expect(await violations(other, "light")).toEqual([]);
    await other.getByRole("button", { name: "Save the view" }).click();
    await rail.getByRole("link", { name: "Written" }).click();
    await page.waitForURL(/\/shop\/feed\?kind=remembered$/);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /An action, an id/ }).fill("decid");
    await page.getByRole("option", { name: /^Decided/ }).click();
    await page.waitForURL(/\/shop\/find\?type=decision$/);

    await page.keyboard.press("V");
    const dialog = page.getByRole("dialog", { name: "Saved views" });
    const names = () => dialog.locator(".view-line b").allTextContents();
    await expect.poll(names).toEqual(["Decided", "Written"]);
    await dialog.getByRole("button", { name: "Up Written" }).click();
    await expect.poll(names).toEqual(["Written", "Decided"]);
    await dialog.getByRole("button", { name: "Rename Decided" }).click();
    await dialog.getByLabel("New name of Decided").fill("What we decided");
    await page.keyboard.press("Enter");
    await expect.poll(names).toEqual(["Written", "What we decided"]);
    await dialog.getByText("In another browser").click();
    const text = await dialog.getByLabel(/Copy this there/).inputValue();
    await dialog.getByRole("button", { name: "Remove Written" }).click();
    await expect.poll(names).toEqual(["What we decided"]);
    await page.reload();
    await rail.getByRole("link", { name: "What we decided" }).waitFor();
    await close();

    const elsewhere = await openPage(browser, at("shop"));
    await elsewhere.page.locator("#main").focus();
    await elsewhere.page.keyboard.press("V");
    await elsewhere.page.getByText("In another browser").click();
    await elsewhere.page.getByLabel(/Copy this there/).fill(text);
    await elsewhere.page.getByRole("button", { name: "Take these over" }).click();
    await elsewhere.page.getByText("2 views taken over.").waitFor();
    await elsewhere.page.keyboard.press("Escape");
    await elsewhere.page.getByRole("link", { name: "Written" }).click();
    await elsewhere.page.waitForURL(/kind=remembered/);
    await elsewhere.close();
  });

  it("are those of the day that the page is at, where the engine knows it", async () => {
    const { page, close } = await openPage(browser, at("shop/inbox?part=conflicts"));
    await page.getByText("timeout of 30 seconds").first().waitFor();
    await page.getByLabel("Show memory as of this day").fill("2020-01-01");
    await page.getByText("No facts contradict each other.").waitFor();
    await page.getByText("As of 2020-01-01: what was open by then and still is.").waitFor();
    const shown: readonly [path: string, sign: string][] = [
      ["inbox?part=collisions", "Nobody said two things about the same"],
      ["inbox?part=proposals", "Nothing is proposed."],
      ["map?center=tool%3Agateway", "Valid at 2020-01-01"],
      ["recalls", "No recall is kept that passes these."],
      ["topics", "this screen shows memory as it is today"],
    ];
    for (const [path, sign] of shown) {
      await page.goto(at(`shop/${path}${path.includes("?") ? "&" : "?"}as_of=2020-01-01`));
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
    }
    await close();
  });

  it("have no place for views that another page has made up", async () => {
    const { page, close } = await openPage(browser, at("shop"));
    await page.evaluate(() => {
      const made = [
        { name: "<b>x</b>", db: "shop", screen: "find", query: { q: "javascript:alert(1)" } },
        { name: "bad", db: "shop", screen: "nowhere", query: {} },
        { name: "bad", db: "shop", screen: "find", query: { q: 1 } },
        null,
      ];
      localStorage.setItem("cairn-views", JSON.stringify(made));
    });
    await page.reload();
    await page.getByRole("link", { name: "<b>x</b>" }).waitFor();
    expect(await page.getByRole("link", { name: "bad" }).count()).toBe(0);
    await close();
  });

  it("never lose what is written in one tab to what is written in another", async () => {
    await server.store.open("drafts").execute("remember", { content: "As it was" });
    const { page: first, close } = await openPage(browser, at("drafts/item/ep%3A1"));
    const second = await first.context().newPage();
    const content = (page: Page) => page.getByLabel("Content");
    const edit = async (page: Page, text: string) => {
      await page.getByRole("button", { name: "Edit" }).click();
      await content(page).fill(text);
    };
    await second.goto(at("drafts/item/ep%3A1"));
    await second.getByRole("button", { name: "Edit" }).waitFor();
    await edit(first, "What the first one wrote");
    await edit(second, "What the second one wrote");
    await first.reload();
    await expect.poll(() => content(first).inputValue()).toBe("What the first one wrote");
    await second.reload();
    await expect.poll(() => content(second).inputValue()).toBe("What the second one wrote");
    await second.close();
    await first.goto(at("drafts/find"));
    await first.getByRole("row").getByText("unsaved draft").waitFor();
    const third = await first.context().newPage();
    await third.goto(at("drafts/item/ep%3A1"));
    await expect.poll(() => content(third).inputValue()).toBe("What the second one wrote");
    await close();
  });

  it("outlives the tab, and a server that was killed meanwhile", async () => {
    const dying = await memoryServer();
    await dying.store.open("shop").execute("remember", { content: "As it was" });
    const { page, close } = await openPage(browser, `${dying.url}/ui/shop/item/ep%3A1`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Content").fill("Half a thought");
    const { port } = new URL(dying.url);
    await dying.end();
    const context = page.context();
    await page.close();
    const again = await memoryServer({ port: Number(port) });
    await again.store.open("shop").execute("remember", { content: "As it was" });
    const tab = await context.newPage();
    await tab.goto(`${again.url}/ui/shop/item/ep%3A1`);
    await expect.poll(() => tab.getByLabel("Content").inputValue()).toBe("Half a thought");
    await close();
    await again.end();
  });
});
