// @module-tag long: a browser.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";

describe.skipIf(browserPath === undefined)("work next to the conversation", () => {
  let browser: Browser;
  let server: AgentPage;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startAgentPage({ keepsCorrections: true });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", server.projectRoot, ...args], { stdio: "ignore" });
    writeFileSync(join(server.projectRoot, "pay.ts"), LINES.join(""));
    git("init", "-q");
    git("config", "user.email", "ada@example.org");
    git("config", "user.name", "Ada");
    git("add", ".");
    git("commit", "-q", "-m", "begin");
    mkdirSync(join(server.projectRoot, ".cairn", "subagents"), { recursive: true });
    writeFileSync(
      join(server.projectRoot, ".cairn", "subagents", "looker.md"),
      "---\nname: Looker\ndescription: looks\n---\nYou look.\n",
    );
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const LINES = Array.from({ length: 30 }, (_unused, index) => `export const v${index} = 0;\n`);
  const say = async (page: Page, text: string) => {
    await page.getByLabel("Message to the agent").fill(text);
    await page.getByLabel("Message to the agent").press("Enter");
  };

  const handOn = (task: string) => ({
    toolCalls: [{ name: "subagent", args: { id: "looker", prompt: task } }],
  });

  it("folds a subagent's output, shows state and cost, and expands it", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script(
      handOn("Look at <b>pay.ts</b>\nand say"),
      { toolCalls: [{ name: "read", args: { path: "pay.ts" } }] },
      { text: "It has thirty lines.", usage: { input: 300, output: 20 } },
      { text: "The looker is happy." },
    );
    await say(page, "Have it looked at");
    await page.getByText("The looker is happy.").waitFor();
    const card = page.locator("details.subagent");
    expect(await card.locator("summary").innerText()).toMatch(
      /\[Looker\][\s\S]*Look at <b>pay.ts<\/b>[\s\S]*done[\s\S]*1 call[\s\S]*tokens/,
    );
    expect(await page.getByText("It has thirty lines.").count()).toBe(0);
    await card.locator("summary").click();
    await card.getByText("It has thirty lines.").waitFor();
    await page.getByRole("article", { name: "Task" }).getByText("and say").waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await close();
  });

  it("names the subagent in a prompt, also on a narrow page, and stops it", async () => {
    const wide = await openPage(browser, server.address("default/agent"));
    server.model.script(handOn("Publish it"), {
      toolCalls: [{ name: "shell", args: { command: "npm publish" } }],
    });
    await say(wide.page, "Have it published");
    const { pathname } = new URL(wide.page.url());
    const phone = await openPage(browser, server.address(pathname.slice("/ui/".length)), {
      width: 360,
      height: 740,
    });
    const card = phone.page.getByRole("region", { name: "Allow shell?" });
    await card.getByText("[Looker]").waitFor();
    await phone.page.locator("details.subagent summary").getByText("running").waitFor();
    await phone.page.getByRole("button", { name: "Stop" }).click();
    await wide.page.locator("details.subagent summary").getByText("stopped").waitFor();
    await phone.close();
    await wide.close();
  });

  it("shows plans and tasks next to the conversation, and runs and stops one", async () => {
    const folder = join(server.projectRoot, ".cairn");
    const plans = [{ id: 1, name: "Retries", description: "Try again.", approach: "- count" }];
    const tasks = [
      { id: "0-1", name: "Count tries", description: "Count." },
      { id: "1-1", name: "Wait longer", description: "Wait.", status: "done" },
    ];
    writeFileSync(join(folder, "plans.json"), JSON.stringify(plans));
    writeFileSync(join(folder, "tasks.json"), JSON.stringify(tasks));
    const { page, close } = await openPage(browser, server.address("default/agent?panel=plan"));
    const beside = page.getByRole("complementary", { name: "Plan" });
    await beside.getByText("Retries").waitFor();
    await beside.getByText("Wait longer").waitFor();
    expect(await beside.getByRole("button", { name: "Run plan" }).count()).toBe(0);
    server.model.script({ text: ["I count"], hang: "afterText" });
    await beside.getByRole("button", { name: "Run open tasks" }).click();
    await page.getByText("I count").waitFor();
    await page.locator(".tasks").getByRole("img", { name: "running" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    const stored = JSON.parse(readFileSync(join(folder, "tasks.json"), "utf8"));
    expect(stored[0].status).toBe("in-progress");
    expect(await violations(page, "light")).toEqual([]);
    await close();
    const phone = await openPage(browser, server.address("default/agent"), { width: 360 });
    await phone.page.getByRole("button", { name: "Thread actions" }).click();
    await phone.page.getByRole("menuitem", { name: "Plan" }).click();
    await phone.page
      .getByRole("complementary", { name: "Plan" })
      .getByText("Count tries")
      .waitFor();
    expect(await violations(phone.page, "light")).toEqual([]);
    await phone.close();
  });

  it("shows which memories a turn used and why, and corrects one from there", async () => {
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script({ text: "Hello, Ada." });
    await say(page, "Hello");
    await page.getByText("Hello, Ada.").waitFor();
    const content = "Payments are retried three times with backoff";
    const memory = server.store.open();
    const stored = await memory.execute("remember", { content, episode_type: "decision" });
    server.model.script({ text: "Three times." });
    await say(page, "How often are payments retried with backoff?");
    await page.getByText("Three times.").waitFor();
    const field = page.locator("details.memory", { hasText: content });
    await field.locator("summary").click();
    await field
      .getByText(/matches the message: \d\.\d\d \(.*\d\.\d\d/)
      .first()
      .waitFor();
    await field.getByRole("button", { name: "Report a wrong memory" }).waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await field.getByRole("link", { name: content }).click();
    await page.getByRole("button", { name: /^Edit/ }).click();
    await page
      .getByRole("textbox", { name: "Content" })
      .fill("Payments are retried five times with backoff");
    await page.keyboard.press("Control+Enter");
    const text = async () =>
      (await memory.execute("get_episode", { episode_id: stored.id })).content;
    await expect.poll(text).toContain("five times");
    await close();
  });

  it("shows learned statements and corrections by /wrong", async () => {
    const memory = server.store.open();
    const keep = (content: string, type: string) =>
      memory.execute("remember", { content, episode_type: type });
    await keep("The gateway times out after 10 seconds.", "fact");
    const { page, close } = await openPage(browser, server.address("default/agent"));
    server.model.script({ text: "It waits 30 seconds." });
    await say(page, "That's wrong, the gateway times out after 30 seconds, not 10.");
    const learned = page.locator("details.memory", { hasText: "1 memory saved" });
    await learned.getByRole("link", { name: /gateway times out after 30 seconds/ }).waitFor();
    await page.getByText("It waits 30 seconds.", { exact: true }).waitFor();

    const stored = await keep("We round money per invoice line", "decision");
    server.model.script({ text: "Per line." });
    await say(page, "How do we round money on an invoice line?");
    const field = page.locator("details.memory", { hasText: "We round money per invoice line" });
    await field.locator("summary").click();
    await page.getByText("Per line.", { exact: true }).waitFor();
    await field.getByRole("button", { name: "Report a wrong memory" }).click();
    const prompt = page.getByRole("region", { name: "Question from the agent" });
    await prompt.getByText("We round money per invoice line").waitFor();
    const items = await prompt.getByRole("listitem").allTextContents();
    const index = 1 + items.findIndex((item) => item.includes("We round money"));
    await say(page, `${index} We round money per invoice`);
    await page.getByText(new RegExp(`ep:\\d+ replaces ${stored.id}\\.`)).waitFor();
    expect(await memory.execute("get_episode", { episode_id: stored.id })).toMatchObject({
      replaced_by: expect.stringMatching(/^ep:/),
    });
    expect(await violations(page, "light")).toEqual([]);
    await field.getByRole("link", { name: "We round money per invoice line" }).click();
    await page
      .getByText(/superseded|replaced/i)
      .first()
      .waitFor();
    await close();
  });

  it("keeps the focus in the inbox when the agent prompts", async () => {
    await server.store.open().execute("remember", { content: "Nobody has reviewed this" });
    const inbox = await openPage(browser, server.address("default/inbox"));
    const tab = (name: RegExp) => inbox.page.getByRole("link", { name });
    await inbox.page.getByText("Nobody has reviewed this").first().waitFor();
    const desk = await openPage(browser, server.address("default/agent"));
    server.model.script({ toolCalls: [{ name: "shell", args: { command: "npm publish" } }] });
    await say(desk.page, "Publish it");
    await desk.page.getByRole("region", { name: "Allow shell?" }).waitFor();
    await tab(/^Approvals 1$/).waitFor();
    expect(await tab(/^Unreviewed/).getAttribute("aria-current")).toBe("page");
    await inbox.page.locator("#main").focus();
    await pressShortcut(inbox.page, "1");
    expect(await inbox.page.getByText("Allow shell?").count()).toBe(0);
    await tab(/^Approvals 1$/).click();
    await inbox.page.getByRole("button", { name: /^Deny/ }).waitFor();
    await desk.page.getByRole("button", { name: "Stop" }).click();
    await inbox.page.getByText("No pending approvals.").waitFor();
    expect(await tab(/^Approvals/).getAttribute("aria-current")).toBe("page");
    await inbox.close();
    await desk.close();
  });

  it("has no accessibility violations and no overflow at 320 × 256", async () => {
    const options = { width: 320, height: 256, theme: "dark" } as const;
    const { page, close } = await openPage(browser, server.address("default/agent"), options);
    server.model.script(
      handOn("Look"),
      { text: "looked" },
      { toolCalls: [{ name: "shell", args: { command: "touch checked && npm test" } }] },
    );
    await say(page, "Look, then try");
    await page.getByRole("region", { name: "Allow shell?" }).waitFor();
    expect(await violations(page, "dark")).toEqual([]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(overflow)).toBe(0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await close();
  });
});
