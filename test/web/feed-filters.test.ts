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

  const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
  const show = (page: Page) => page.getByRole("button", { name: "Apply" }).click();
  const rows = (page: Page) => page.locator(".change-row");

  async function shows(page: Page, count: number) {
    await expect.poll(() => rows(page).count(), { timeout: 60_000 }).toBe(count);
  }

  it("filter by the URL, and follow new events", async () => {
    const { memory, page, close } = await shop("narrowed");
    await shows(page, 7);
    await page.getByText("More filters").click();
    await field(page, "entity").fill("tool:gateway");
    await field(page, "type").fill("fact");
    await show(page);
    await shows(page, 2);
    expect(await rows(page).allInnerTexts()).toEqual([
      expect.stringContaining("10 seconds"),
      expect.stringContaining("30 seconds"),
    ]);
    expect(new URL(page.url()).searchParams.get("entity")).toBe("tool:gateway");
    await memory.execute("remember", { content: "The gateway is slow.", entities: "tool:gateway" });
    const fact = { episode_type: "fact", entities: "tool:gateway" };
    await memory.execute("remember", { content: "The gateway listens on port 8443.", ...fact });
    await shows(page, 3);
    await rows(page).getByText("port 8443").waitFor();
    await page.reload();
    await shows(page, 3);
    expect(await field(page, "type").inputValue()).toBe("fact");
    await field(page, "type").fill("");
    await show(page);
    await shows(page, 5);
    await page.goBack();
    await shows(page, 3);
    await close();
  });

  it("combine event kinds and authors", async () => {
    const { memory, page, close } = await shop("joined");
    await memory.execute("delete", { id: "ep:1" });
    await page.getByLabel("Event").selectOption("deleted");
    await shows(page, 1);
    await page.getByLabel("Event").selectOption("");
    await field(page, "Author").fill("ada");
    await page.keyboard.press("Enter");
    await shows(page, 3);
    await page.getByText("More filters").click();
    await field(page, "text").fill("receipts");
    await show(page);
    await shows(page, 1);
    expect(await rows(page).innerText()).toContain("200 receipts");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      author: "ada",
      text: "receipts",
    });
    await close();
  });

  it("report no matches and invalid values", async () => {
    const { page, close } = await shop("refused");
    await page.getByText("More filters").click();
    await field(page, "entity").fill("tool:unheard-of");
    await show(page);
    await page.getByText("No changes match these filters.").waitFor();
    await field(page, "entity").fill("");
    await field(page, "type").fill("decison");
    await show(page);
    await page.getByRole("alert").getByText('Did you mean "decision"?').waitFor();
    await field(page, "type").fill("");
    await field(page, "pending").fill("yes");
    await show(page);
    await page.getByRole("alert").getByText("pending").waitFor();
    await field(page, "pending").fill("true");
    await show(page);
    await shows(page, 6);
    await close();
  });
});
