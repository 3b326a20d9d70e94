// @module-tag long: a browser.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";

/** Creates a file only if the test passes. */
const TEST_IT = "node --test pay.test.mjs && touch checked";

describe.skipIf(browserPath === undefined)("the agent on the page", () => {
  let browser: Browser;
  let server: AgentPage;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startAgentPage();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  beforeEach(() => {
    writeFileSync(join(server.projectRoot, "pay.ts"), "export const retries = 3;\n");
  });

  const say = async (page: Page, text: string) => {
    await page.getByLabel("Message to the agent").fill(text);
    await page.getByLabel("Message to the agent").press("Enter");
  };

  it("edits, reorders and removes queued messages", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script({ text: ["Hm"], hang: "afterText" }, { text: "All read." });
    await say(page, "Begin");
    await page.getByText("Hm").waitFor();
    const waits = page.getByRole("list", { name: "Queued messages" });
    for (const text of ["Say one", "Say two", "Say three"]) {
      await say(page, text);
      await waits.getByText(text).waitFor();
    }
    const texts = () => waits.locator(".queue-text").allTextContents();
    await waits.getByRole("button", { name: "Edit" }).first().press("Enter");
    await page.getByLabel("Queued message", { exact: true }).fill("Say one aloud");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(texts).toEqual(["Say one aloud", "Say two", "Say three"]);
    await waits.getByRole("button", { name: "Move up" }).last().click();
    await expect.poll(texts).toEqual(["Say one aloud", "Say three", "Say two"]);
    await waits.getByRole("button", { name: "Remove" }).last().press("Enter");
    await expect.poll(texts).toEqual(["Say one aloud", "Say three"]);
    expect(await violations(page, "light")).toEqual([]);
    await page.locator("#main").focus();
    await page.keyboard.press("Escape");
    await page.getByText("All read.").waitFor();
    await page.getByRole("article", { name: "You" }).getByText("Say one aloud").waitFor();
    await waits.waitFor({ state: "detached" });
    await close();
  });

  it("completes a task at 360 pixels: prompt, approved diff, tests and undo", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"), {
      width: 360,
    });
    expect(page.url()).not.toContain("#agent");
    writeFileSync(
      join(server.projectRoot, "pay.test.mjs"),
      [
        'import { readFileSync } from "node:fs";',
        'import { test } from "node:test";',
        'test("five", () => { if (!readFileSync("pay.ts", "utf8").includes("= 5")) throw new Error(); });',
      ].join("\n"),
    );
    server.model.script(
      { toolCalls: [{ name: "read", args: { path: "pay.ts" } }] },
      {
        toolCalls: [
          {
            name: "write",
            args: { path: "pay.ts", content: "export const retries = 5;\n", overwrite: true },
          },
        ],
      },
      { toolCalls: [{ name: "shell", args: { command: TEST_IT } }] },
      { text: ["It tries **five** times ", "now."], usage: { input: 900, output: 20 } },
    );
    await say(page, "Try five times, please");
    await page.getByRole("article", { name: "You" }).getByText("Try five times").waitFor();
    const card = page.getByRole("region", { name: "Allow write?" });
    await card.getByText("export const retries = 5;").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await card.getByRole("button", { name: /^Allow once/ }).click();
    const command = page.getByRole("region", { name: "Allow shell?" });
    await command.getByText(TEST_IT).waitFor();
    await page.locator("#main").focus();
    await pressShortcut(page, "1");
    await page.locator("strong", { hasText: "five" }).waitFor();
    expect(readFileSync(join(server.projectRoot, "pay.ts"), "utf8")).toContain("retries = 5");
    expect(JSON.stringify(server.model.requests.at(-1)?.body.messages)).toContain("pass 1");
    expect(existsSync(join(server.projectRoot, "checked"))).toBe(true);
    await page.getByText("Working").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Thread actions" }).click();
    await page.getByRole("menuitem", { name: "Undo a turn" }).click();
    // 2 or 3 files: the user's settings are in this project and may be written meanwhile.
    await page.getByText(/^Reverts 1 turn: [23] files and 0 writes to memory\.$/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    const text = () => readFileSync(join(server.projectRoot, "pay.ts"), "utf8");
    await expect.poll(text).toContain("retries = 3");
    await page.getByRole("article", { name: "You" }).waitFor({ state: "detached" });
    await close();
  });

  it("denies with a message from the inbox by keyboard", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script(
      { toolCalls: [{ name: "shell", args: { command: "npm publish" } }] },
      { text: "I leave it." },
    );
    await say(page, "Publish it");
    await page.getByRole("region", { name: "Allow shell?" }).waitFor();
    const phone = await openPage(browser, server.address("default/inbox"), { width: 360 });
    await phone.page.getByRole("link", { name: "Approvals 1" }).waitFor();
    await phone.page.getByText("npm publish").waitFor();
    await phone.page.locator("#main").focus();
    await pressShortcut(phone.page, "3");
    await phone.page.keyboard.type("not on a Friday");
    await phone.page.keyboard.press("Enter");
    await phone.page.getByText("No pending approvals.").waitFor();
    await page.getByText("I leave it.").waitFor();
    const output = JSON.stringify(server.model.requests.at(-1)?.body.messages);
    expect(output).toContain("not on a Friday");
    await phone.close();
    await close();
  });

  it("shows a second page the messages of the first immediately", async () => {
    const first = await openPage(browser, server.address("default/agent"));
    server.model.script({
      text: ["one ", "two ", "three"],
      reasoning: ["Let me count."],
      chunkDelayMs: 200,
    });
    await say(first.page, "Count, as you like");
    await first.page.getByText("one").waitFor();
    const { pathname } = new URL(first.page.url());
    const second = await openPage(browser, server.address(pathname.slice("/ui/".length)));
    await second.page.getByRole("article", { name: "You" }).getByText("Count, as you").waitFor();
    await second.page.getByText("one two three").waitFor();
    await first.page.getByText("one two three").waitFor();
    await second.close();
    await first.close();
  });

  it("offers commands and paths while they are typed", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    const field = page.getByLabel("Message to the agent");
    await field.fill("/rem");
    await page.getByRole("option", { name: /^\/remember/ }).waitFor();
    await field.press("Tab");
    expect(await field.inputValue()).toMatch(/^\/rem\w+ $/);
    await field.fill("");
    await field.pressSequentially("look at @pa");
    await page.getByRole("option", { name: "pay.ts" }).click();
    expect(await field.inputValue()).toBe("look at @pay.ts ");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("look at @pay.ts ");
    await close();
  });

  it("passes the accessibility rules at 320 pixels", async () => {
    const size = { width: 320, theme: "dark" } as const;
    const { page, close } = await openPage(browser, server.address("default/agent"), size);
    server.model.script({
      text: "I make it five.",
      reasoning: ["Five, then."],
      toolCalls: [
        { name: "read", args: { path: "pay.ts" } },
        { name: "write", args: { path: "five.ts", content: "export const five = 5;\n" } },
      ],
    });
    await say(page, "Make it five");
    await page.getByRole("region", { name: "Allow write?" }).waitFor();
    expect(await violations(page, "dark")).toEqual([]);
    await page.getByRole("button", { name: "Thread actions" }).click();
    await page.getByRole("menuitem", { name: "Memories used" }).click();
    await page.getByText("Loading").waitFor({ state: "detached" });
    expect(await violations(page, "dark")).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    const hidden = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(hidden).toBe(false);
    server.model.script({ text: "Left." });
    await page.getByRole("button", { name: /^Deny/ }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Left.").waitFor();
    await close();
  });

  it("stops a run, and shows prompts of a flow", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script({ text: ["begun "], hang: "afterText" });
    await say(page, "Take your time");
    await page.getByText("begun").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await page.getByText("Working").waitFor({ state: "detached" });
    await close();
  });

  it("escapes hostile model output", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    const hostile = '<img src=x onerror="window.bad=1"><script>window.bad=2</script> \u202Egnp.exe';
    server.model.script({ text: hostile });
    await say(page, "Say something bad");
    await page.getByText('<img src=x onerror="window.bad=1">').waitFor();
    await page.locator(".control-mark", { hasText: "U+202E" }).waitFor();
    expect(await page.evaluate("'bad' in window")).toBe(false);
    await close();
  });

  it("resumes after the server was down", async () => {
    const own = await startAgentPage();
    const { page, close } = await openPage(browser, own.address("default/agent"));
    own.model.script({ text: "Before." }, { text: "After." });
    await say(page, "First");
    await page.getByText("Before.").waitFor();
    await own.stop();
    await page.getByText("Connection to the agent lost.").waitFor();
    const { port, projectRoot, model } = own;
    const again = await startAgentPage({ port, projectRoot, model });
    try {
      await page.getByText("Connection to the agent lost.").waitFor({ state: "detached" });
      await page.getByText("Before.").waitFor();
      await say(page, "Second");
      await page.getByText("After.").waitFor();
      await close();
    } finally {
      await again.end();
    }
  });

  it("is locked without authorization, and the link works once", async () => {
    const address = server.address("default/agent");
    const first = await openPage(browser, address);
    await first.page.getByRole("button", { name: "New thread" }).waitFor();
    const second = await openPage(browser, address);
    await second.page.getByText("has expired or was already used").waitFor();
    expect(server.warnings.join()).toContain("opened a second time");
    await second.page.getByLabel("Token").fill("wrong");
    await second.page.getByRole("button", { name: "Unlock" }).click();
    await second.page.getByRole("alert").waitFor();
    await second.page.getByLabel("Token").fill("the-token-of-the-agent");
    await second.page.getByRole("button", { name: "Unlock" }).click();
    await second.page.getByRole("button", { name: "New thread" }).waitFor();
    await second.close();
    await first.close();
  });
});
