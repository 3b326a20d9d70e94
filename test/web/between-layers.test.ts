// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import { type MemoryServer, memoryServer } from "../support/memory-server.ts";
import { patiently } from "../support/patiently.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";

describe.skipIf(browserPath === undefined)("what is said otherwise than a farther layer", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  beforeEach(async () => {
    server = await memoryServer({ layers: ["team", "company"] });
  });

  afterEach(() => server.end());
  afterAll(() => browser?.close());

  const at = (path: string) => `${server.url}/ui/${path}`;
  const say = (db: string, content: string) =>
    server.store.open(db).execute("remember", { content, episode_type: "decision" });
  const between = async (db: string) =>
    (await server.store.open(db).execute("contradictions", {})).contradictions.length;

  it(
    "is left to the farther layer, taken back or left as it is, by one key each, and undone",
    async () => {
      const topics = ["shop", "mail job", "billing"];
      for (const topic of topics) await say("team", `The ${topic} uses npm`);
      for (const topic of topics) await say("mine", `The ${topic} uses pnpm`);
      expect(await between("mine")).toBe(3);
      const { page, close } = await openPage(browser, at("mine/inbox"));
      await page.getByRole("link", { name: "Between layers 3" }).waitFor();
      const decision = page.getByRole("region", { name: "Said otherwise than team" });
      await decision.getByText("The billing uses").first().waitFor();
      await page.keyboard.press("1");
      await decision.getByText("The mail job uses").first().waitFor();
      await page
        .getByRole("status")
        .getByText("somebody of team decides team/conflict:1")
        .waitFor();
      const { conflicts } = await server.store.open("team").execute("list_conflicts", {});
      expect(conflicts).toMatchObject([
        {
          fact_a: { statement: "The billing uses npm" },
          fact_b: { statement: "The billing uses pnpm" },
        },
      ]);
      await page.keyboard.press("2");
      await decision.getByText("The shop uses").first().waitFor();
      await expect.poll(() => between("mine")).toBe(1);
      const held = async () =>
        (await server.store.open("mine").execute("list_episodes", {})).episodes.map(
          ({ content }) => content,
        );
      expect(await held()).not.toContain("The mail job uses pnpm");
      await decision.getByRole("button", { name: /^Leave both as they are/ }).click();
      await page.getByText("Nothing here says otherwise than a farther layer.").waitFor();
      await expect.poll(() => between("mine")).toBe(0);
      expect(await held()).toContain("The shop uses pnpm");
      await page.locator("#main").focus();
      await page.keyboard.press("z");
      await decision.getByText("The shop uses").first().waitFor();
      await page.keyboard.press("z");
      await page.getByRole("link", { name: "Between layers 2" }).waitFor();
      expect(await held()).toContain("The mail job uses pnpm");
      await page.keyboard.press("z");
      await page.getByRole("status").getByText("team/ep:4 is taken back, too.").waitFor();
      await page.getByRole("link", { name: "Between layers 3" }).waitFor();
      const ofTeam = await server.store.open("team").execute("list_episodes", {});
      expect(ofTeam.episodes.map(({ content }) => content)).not.toContain("The billing uses pnpm");
      await close();
    },
    patiently(60_000),
  );

  it("opens both sides, each in its own memory", async () => {
    await say("team", "The office closes at six");
    const { id } = await say("ours", "The office closes at eight");
    const { page, close } = await openPage(browser, at("ours/inbox?part=layers"));
    await page.getByRole("link", { name: id, exact: true }).click();
    await page.waitForURL(/\/ui\/ours\/item\/ep%3A1$/);
    await page.goBack();
    await page.getByRole("link", { name: /^team\/ep:\d+$/ }).click();
    await page.waitForURL(/\/ui\/team\/item\/ep%3A\d+$/);
    await page.getByText("The office closes at six").first().waitFor();
    await close();
  });

  it.each(["light", "dark"] as const)(
    "passes the accessibility rules in %s, and fits a window of 320 pixels",
    async (theme) => {
      const db = `in-${theme}`;
      const address = `https://example.com/${"long".repeat(30)}`;
      const place = { light: "kitchen", dark: "archive" }[theme];
      await say("company", `The ${place} uses npm, see ${address}`);
      await say(db, `The ${place} uses pnpm, see ${address}`);
      expect(await between(db)).toBe(1);
      const { page, close } = await openPage(browser, at(`${db}/inbox?part=layers`), {
        theme,
        width: 320,
        height: 640,
      });
      await page.getByRole("region", { name: "Said otherwise than company" }).waitFor();
      expect(await violations(page, theme)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await close();
    },
    patiently(60_000),
  );

  it("opens no later part while it is not known whether an earlier one has something", async () => {
    await say("team", "The gate opens at six");
    await say("late", "The gate opens at eight");
    const { page, close } = await openPage(browser, "about:blank");
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/contradictions/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(at("late/inbox"));
    await page.getByRole("link", { name: "Not reviewed 1" }).waitFor();
    await page.getByRole("link", { name: "Proposals 0" }).waitFor();
    expect(await page.locator(".tabs [aria-current]").count()).toBe(0);
    answer();
    await page.getByRole("region", { name: "Said otherwise than team" }).waitFor();
    expect(await page.locator(".tabs [aria-current]").textContent()).toMatch(/^Between layers/);
    await close();
  });

  it("shows no such part where there are none, nor a text that the person may not read", async () => {
    const people = new PeopleTokens(server.store.tokens);
    await say("team", "The cellar opens on Mondays");
    await say("hers", "The cellar opens on Fridays");
    await say("hers", "Something to review");
    const inbox = async (databases: string[], name: string) => {
      const { token } = await people.create(name, "write", { databases });
      const opened = await openPage(browser, "about:blank");
      const { page } = opened;
      await page.addInitScript((given) => sessionStorage.setItem("cairn-token", given), token);
      await page.goto(at("hers/inbox"));
      await page.getByRole("link", { name: /^Not reviewed 2/ }).waitFor();
      return opened;
    };
    const both = await inbox(["hers", "team"], "carla");
    await both.page.getByRole("link", { name: "Between layers 1" }).waitFor();
    await both.close();
    const alone = await inbox(["hers"], "ada");
    expect(await alone.page.getByRole("link", { name: /^Between layers/ }).count()).toBe(0);
    await alone.page.goto(at("hers/inbox?part=layers"));
    await alone.page.getByText("Nothing here says otherwise than a farther layer.").waitFor();
    expect(await alone.page.content()).not.toContain("Mondays");
    await alone.close();
  });
});
