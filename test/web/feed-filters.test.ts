// @module-tag long: a browser.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("the filters of the feed", () => {
  const served = setUpServedPage();

  async function shop(name: string) {
    const memory = served.server.store.open(name);
    for (const line of SHOP.trim()
      .split("\n")
      .filter((one) => !/[$]/.test(one))) {
      await memory.execute("apply", { changeset: line });
    }
    const opened = await served.open(`${name}/feed`);
    await opened.page.locator(".change-row").first().waitFor();
    return { memory, ...opened };
  }

  const rows = (page: Page) => page.locator(".change-row");

  async function shows(page: Page, count: number) {
    await expect.poll(() => rows(page).count(), { timeout: 60_000 }).toBe(count);
  }

  it("filter by the URL, and follow new events", async () => {
    const { memory, page, close } = await shop("narrowed");
    await shows(page, 7);
    await page.goto(served.at("narrowed/feed?entity=tool:gateway&type=fact"));
    await shows(page, 2);
    expect(await rows(page).allInnerTexts()).toEqual([
      expect.stringContaining("10 seconds"),
      expect.stringContaining("30 seconds"),
    ]);
    await memory.execute("remember", { content: "The gateway is slow.", entities: "tool:gateway" });
    const fact = { episode_type: "fact", entities: "tool:gateway" };
    await memory.execute("remember", { content: "The gateway listens on port 8443.", ...fact });
    await shows(page, 3);
    await rows(page).getByText("port 8443").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).waitFor();
    await close();
  });

  it("combine event kinds and authors", async () => {
    const { memory, page, close } = await shop("joined");
    await memory.execute("delete", { id: "ep:1" });
    await page.getByLabel("Event").selectOption("deleted");
    await shows(page, 1);
    await page.getByLabel("Event").selectOption("");
    await page.getByRole("textbox", { name: "Author" }).fill("ada");
    await page.keyboard.press("Enter");
    await shows(page, 3);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ author: "ada" });
    await close();
  });

  it("report no matches and invalid values", async () => {
    const { page, close } = await shop("refused");
    await page.goto(served.at("refused/feed?entity=tool:unheard-of"));
    await page.getByText("No changes match these filters.").waitFor();
    await page.goto(served.at("refused/feed?type=decison"));
    await page.getByRole("alert").getByText('Did you mean "decision"?').waitFor();
    await page.goto(served.at("refused/feed?pending=yes"));
    await page.getByRole("alert").getByText("pending").waitFor();
    await page.goto(served.at("refused/feed?pending=true"));
    await shows(page, 6);
    await close();
  });
});
