// @module-tag long: a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { violations } from "./support/axe.ts";
import { browserPath, openPage } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("the memory screens", () => {
  const served = setUpServedPage();

  beforeAll(async () => {
    const shop = served.server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    await shop.execute("read_source", {
      kind: "claude-code",
      key: "s1",
      title: "Fix the gateway",
      passages: Array.from({ length: 60 }, (_, turn) => ({
        key: String(turn),
        by: turn % 2 === 0 ? "user" : "assistant",
        text: `Turn ${turn} about the gateway.`,
        files: ["src/gateway.ts"],
        occurred_at: new Date(Date.UTC(2026, 2, 1, 10, turn)).toISOString(),
      })),
    });
    await shop.execute("remember", { content: "Say it once.", source_ref: "passage:3" });
    await shop.execute("propose", {
      content: "Turn it on.",
      quotation: "Turn 4 about the gateway.",
      evidence: ["passage:5"],
    });
    const long = served.server.store.open("long");
    const rows = Array.from({ length: 90 }, (_, index) => `remember "Number ${index}."`);
    await long.execute("apply", { changeset: rows.join("\n") });
  });

  it("link from a memory to its source message and session", async () => {
    const { page, close } = await served.open("shop/find?q=once");
    await page.getByText("Say it once.").first().click();
    await page.getByRole("link", { name: "passage:3" }).first().click();
    await page.getByText("Turn 2 about the gateway.").waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "Show the whole source" }).click();
    await page.getByRole("heading", { name: "Fix the gateway" }).waitFor();
    expect(await page.getByRole("list", { name: "Passages" }).getByRole("listitem").count()).toBe(
      50,
    );
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Turn 59 about the gateway.").waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await close();
  });

  it("open every record that the feed links to", async () => {
    const { page, close } = await served.open("shop/feed");
    await page.getByText("source read").first().waitFor();
    const links = page.locator(".change-event a.id");
    const addresses = new Set<string>();
    for (const link of await links.all()) {
      const address = (await link.getAttribute("href")) ?? "";
      // Keeps one link per kind of record.
      const kind = /(?:item\/|conflict=|proposal=)(\w+?)(?:%3A|$)/.exec(address)?.[1] ?? address;
      if (![...addresses].some((known) => known.includes(`${kind}%3A`))) addresses.add(address);
    }
    expect([...addresses].join()).toMatch(/source%3A1/);
    expect([...addresses].join()).toMatch(/proposal%3A1/);
    for (const address of addresses) {
      await page.goto(`${served.server.url}${address}`);
      await page.locator("article.item, .decision").first().waitFor();
      expect([address, await page.locator("#main .failure").count()]).toEqual([address, 0]);
    }
    await page.goto(served.at("shop/item/proposal%3A1"));
    await page.locator(".decision").first().waitFor();
    await page.goto(served.at("shop/item/ep%3A999"));
    await page.getByText("Not found: there is no episode ep:999").waitFor();
    await close();
  });

  it("send one recall per visit, not repeated by others' writes", async () => {
    const { page, close } = await openPage(served.browser, "about:blank");
    let recalls = 0;
    page.on("request", (request) => {
      const isRecall = new URL(request.url()).pathname === "/api/v1/query";
      // A recall with a deadline is sent too, for partial results of a slow server.
      const hasDeadline = `${request.url()} ${request.postData()}`.includes("timeout_ms");
      if (isRecall && !hasDeadline) recalls += 1;
    });
    await page.goto(served.at("shop/recall?q=mail%20receipts"));
    await page.getByText("sent 200 receipts again").first().waitFor();
    await page.getByText("Live").waitFor();
    await served.server.store.open("shop").execute("remember", { content: "Something else." });
    await page.getByText("Memory has changed since this result.").waitFor();
    expect(recalls).toBe(1);
    await page.getByRole("button", { name: "Recall again" }).click();
    await expect.poll(() => recalls).toBe(2);
    await close();
  });

  it("show in a recall the passages of sources with a link to each", async () => {
    const { page, close } = await served.open("shop/recall?q=turn%20about%20the%20gateway");
    const passage = page.locator(".recalled", { hasText: "about the gateway." }).first();
    await passage.getByRole("link", { name: /^passage:\d+$/ }).click();
    await page.locator("article.source-page").waitFor();
    await close();
  });

  it("list the best match first, whatever its age", async () => {
    const ranked = served.server.store.open("ranked");
    const later = Array.from(
      { length: 3 },
      (_, day) =>
        `remember occurred_at=2026-03-0${day + 1} "On day ${day} lunch, the weather and, in passing, a rate limit came up in a long meeting"`,
    );
    await ranked.execute("apply", {
      changeset: ['remember occurred_at=2026-01-01 "The rate limit is 50"', ...later].join("\n"),
    });
    const { page, close } = await served.open("ranked/find");
    const first = page
      .getByRole("row")
      .filter({ has: page.getByRole("checkbox") })
      .first();
    await first.getByText("On day 2").waitFor();
    await page.getByRole("searchbox").fill("rate limit");
    await first.getByText("The rate limit is 50").waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("newest");
    await first.getByText("On day 2").waitFor();
    await close();
  });

  it("restore the list position on return from an item", async () => {
    const { page, close } = await served.open("long/find");
    const list = page.locator(".list");
    await page.getByText("Number 89.").waitFor();
    await list.evaluate((element) => element.scrollTo({ top: 1_500 }));
    await page.getByText("Number 50.").click();
    await page.getByRole("link", { name: "Open" }).click();
    await page.locator(".item-page").waitFor();
    await page.goBack();
    await page.locator(".panel").waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000);
    await close();
  });

  it("highlight search words, and open the first result with Enter", async () => {
    const { page, close } = await served.open("shop/find");
    await page.getByRole("searchbox").fill("receipts");
    await page.locator(".row mark", { hasText: "receipts" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".panel", { hasText: "sent 200 receipts again" }).waitFor();
    await close();
  });

  it("find databases and themes in the palette, also with a typo", async () => {
    const { page, close } = await served.open("shop");
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).fill("dark");
    await page.getByRole("option", { name: /Theme: dark/ }).click();
    await page.locator("html[data-theme=dark]").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).fill("databses");
    await page.getByRole("option", { name: /^Databases/ }).waitFor();
    await page.getByRole("combobox", { name: "Search or run a command" }).fill("long");
    await page.getByRole("option", { name: /^long\s*Database$/ }).click();
    await page.waitForURL("**/ui/long");
    await close();
  });

  it("stay on the screen when the database is switched", async () => {
    const { page, close } = await served.open("shop/feed");
    await page.getByRole("combobox", { name: "Database" }).selectOption("long");
    await page.waitForURL("**/ui/long/feed");
    await close();
  });

  it("reach the days of the home screen by keyboard", async () => {
    const { page, close } = await served.open("long");
    const day = page.locator(".day-bars a").last();
    await day.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/long\/find\?since=.*until=/);
    await close();
  });

  it.each([
    [1_280, "dark"],
    [360, "light"],
  ] as const)(
    "keep titles on one line and rows readable at %i pixels, %s",
    async (width, theme) => {
      const { page, close } = await openPage(served.browser, served.at("shop/feed"), {
        width,
        theme,
      });
      for (const screen of ["feed", "databases"]) {
        await page.goto(served.at(`shop/${screen}`));
        const title = page.locator("#main h1").first();
        await title.waitFor();
        expect([screen, await lines(page, "#main h1")]).toEqual([screen, 1]);
      }
      await page.goto(served.at("shop/find"));
      await page.locator(".row").first().waitFor();
      expect(await narrowest(page, ".row-text")).toBeGreaterThanOrEqual(150);
      if (width > 1_000) {
        await page.getByText("sent 200 receipts again").first().click();
        await page.locator(".panel").waitFor();
        expect(await narrowest(page, ".row-text")).toBeGreaterThanOrEqual(150);
      }
      await close();
    },
    180_000,
  );
});

function lines(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
}

function narrowest(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .evaluateAll((rows) => Math.min(...rows.map((row) => row.getBoundingClientRect().width)));
}
