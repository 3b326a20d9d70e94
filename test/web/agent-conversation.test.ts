// @module-tag long: a browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";

const ANSWER = [
  "## Plan",
  "",
  "| Step | Cost |",
  "| --- | ---: |",
  "| Count `tries` | 3 |",
  "",
  "1. First",
  "   - nested",
  "2. Second",
  "",
  "- [x] read",
  "- [ ] write",
  "",
  "See [the guide](https://docs.example.org/retries?a=1&b=2), [bad](javascript:alert(1)) and https://plain.example.org.",
  "",
  "![a chart](https://tracker.example.org/x.png)",
  "",
  "```ts",
  "const five = 5;",
  "```",
  "",
  '<img src=x onerror="window.bad=1"><script>window.bad=2</script>',
  "",
  "<b onclick=alert(1)>bold</b> \u202Egnp.exe",
].join("\n");

describe.skipIf(browserPath === undefined)("a conversation with the agent", () => {
  let browser: Browser;
  let server: AgentPage;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startAgentPage();
    writeFileSync(join(server.projectRoot, "pay.ts"), "export const retries = 3;\n");
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const at = (path: string) => server.address(path);
  const field = (page: Page) => page.getByLabel("Message to the agent");
  const say = async (page: Page, text: string) => {
    await field(page).fill(text);
    await field(page).press("Enter");
  };
  const write = (content: string) => ({
    toolCalls: [{ name: "write", args: { path: "pay.ts", content, overwrite: true } }],
  });
  const allow = async (page: Page) => page.getByRole("button", { name: /^Allow once/ }).click();
  const idle = async (page: Page) => page.getByText("Working").waitFor({ state: "detached" });

  it("shows a response once and the queue next to the composer", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script(
      {
        text: ["Here it is:\n\n```ts\nconst a = 1;\n", "const b = 2;\n```\n", "Done."],
        chunkDelayMs: 900,
      },
      { text: "And more." },
    );
    await say(page, "Show the code");
    await page.getByText("const a = 1").waitFor();
    await say(page, "And then?");
    const queue = page.getByRole("list", { name: "Queued messages" });
    await queue.getByText("And then?").waitFor();
    const [list, box] = [await queue.boundingBox(), await field(page).boundingBox()];
    expect((box?.y ?? 0) - ((list?.y ?? 0) + (list?.height ?? 0))).toBeLessThan(60);
    await page.getByText("And more.").waitFor();
    expect(await page.locator(".code-figure").count()).toBe(1);
    expect(await page.getByText("Here it is:").count()).toBe(1);
    expect(await page.getByRole("article", { name: "Agent" }).count()).toBe(2);
    await close();
  });

  it("shows the to-do list of a run at 360 pixels", async () => {
    const { page, close } = await openPage(browser, at("default/agent"), { width: 360 });
    const items = [
      { text: "Read the gateway", state: "done" },
      { text: "Change the retries", state: "running" },
    ];
    server.model.script({ toolCalls: [{ name: "todo", args: { items } }] }, { text: "Going on." });
    await say(page, "Work through it");
    await page.getByText("To-do: 1 of 2 done").waitFor();
    await page
      .locator(".tasks")
      .getByText("Change the retries")
      .filter({ visible: true })
      .waitFor();
    await idle(page);
    await close();
  });

  it("prompts before it deletes a thread", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script({ text: "Kept." });
    await say(page, "A thread to delete");
    await page.getByText("Kept.").waitFor();
    const open = async () => {
      await page.getByRole("button", { name: "Thread actions" }).press("Enter");
      // An open menu focuses its first item after the event of its opening.
      await page.locator("[role=menuitem]:focus").waitFor();
      await page.getByRole("menuitem", { name: "Delete thread" }).press("Enter");
    };
    const isListed = () => server.host.list().some(({ title }) => title === "A thread to delete");
    await open();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(isListed()).toBe(true);
    await open();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(isListed).toBe(false);
    await close();
  });

  it("ignores letters for a second after a change of screen, and puts the cursor into dialogs", async () => {
    const store = server.store.open();
    const { id } = await store.execute("remember", { content: "Typed text is no command" });
    const { page, close } = await openPage(browser, at("default/find"));
    await page.getByText("Typed text is no command").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await field(page).waitFor();
    await page.keyboard.press("n");
    expect(page.url()).toMatch(/\/agent$/);
    await page.goto(`${server.url}/ui/default/item/${encodeURIComponent(id)}`);
    await page
      .getByRole("heading", { name: id })
      .or(page.getByText("Typed text is no"))
      .first()
      .waitFor();
    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.keyboard.type("r#");
    const stored = await store.execute("get_episode", { episode_id: id });
    expect(stored).toMatchObject({ processed: false });
    await page.goBack();
    await waitFixedTime(1_100, "prompt ignores early keys");
    for (const key of ["l", "t"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      const focused = await page.evaluate("document.activeElement.tagName");
      expect([key, focused]).toEqual([key, "INPUT"]);
      await page.keyboard.press("Escape");
      // A closed dialog has no role before it is removed.
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    await close();
  });

  it("answers a prompt by its choices' keys", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    const args = { question: "Which way?", choices: ["Backoff, slow", "Fail fast"] };
    server.model.script({ toolCalls: [{ name: "ask_user", args }] }, { text: "Fast it is." });
    await say(page, "Ask me");
    const card = page.getByRole("region", { name: "Question from the agent" });
    await card.getByRole("button", { name: "Fail fast" }).waitFor();
    expect(await card.innerText()).not.toContain("[1]");
    await page.locator("#main").focus();
    await pressShortcut(page, "2");
    await page.getByText("Fast it is.").waitFor();
    await page
      .getByRole("article", { name: "You" })
      .getByText("Fail fast", { exact: true })
      .waitFor();
    expect(await page.getByText("sending").count()).toBe(0);
    await close();
  });

  it("draws Markdown as elements, keeps HTML as text, and copies code", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script({ text: ANSWER });
    await say(page, "Show everything");
    const answer = page.getByRole("article", { name: "Agent" });
    await answer.getByRole("heading", { name: "Plan" }).waitFor();
    await answer.getByRole("cell", { name: "Count tries" }).waitFor();
    expect(await answer.locator("ol > li").count()).toBe(2);
    expect(await answer.locator("ol ul > li").innerText()).toBe("nested");
    expect(await answer.getByRole("img", { name: "done" }).count()).toBe(1);
    const links = await answer
      .locator("a")
      .evaluateAll((all) =>
        all.map((one) => [
          one.textContent,
          (one as HTMLAnchorElement).href,
          (one as HTMLAnchorElement).rel,
        ]),
      );
    const rel = "noopener noreferrer nofollow";
    expect(links).toEqual([
      ["the guide", "https://docs.example.org/retries?a=1&b=2", rel],
      ["https://plain.example.org", "https://plain.example.org/", rel],
      ["a chart", "https://tracker.example.org/x.png", rel],
    ]);
    await answer.getByText("(docs.example.org)").waitFor();
    expect(await answer.locator("img, script, [onclick], [onerror]").count()).toBe(0);
    await answer.getByText('<img src=x onerror="window.bad=1">').waitFor();
    await answer.locator(".control-mark", { hasText: "U+202E" }).waitFor();
    expect(await page.evaluate("'bad' in window")).toBe(false);
    expect(await answer.locator("figcaption").innerText()).toContain("ts");
    await answer.getByRole("button", { name: "Copy code" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("const five = 5;");
    expect(await violations(page, "light")).toEqual([]);
    await close();
  });

  it("attaches an image and shows it as a picture, also after a reload", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script({ text: "A square." });
    await page.getByLabel("Images", { exact: true }).setInputFiles({
      ...{ name: "square.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") },
    });
    await page.getByRole("button", { name: "square.png", exact: true }).waitFor();
    await say(page, "What is this?");
    await page.getByText("A square.").waitFor();
    const width = () =>
      page
        .getByRole("article", { name: "You" })
        .locator("canvas")
        .evaluate((canvas) => (canvas as HTMLCanvasElement).width);
    await expect.poll(width).toBe(2);
    expect(await page.getByText("@image:").count()).toBe(0);
    await page.reload();
    await expect.poll(width).toBe(2);
    await close();
  });

  it("sets mode, model and effort in the composer", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    const other = await openPage(browser, at("default/agent"));
    await page.getByLabel("Mode", { exact: true }).selectOption("Plan");
    await expect.poll(() => server.host.info.permissionMode).toBe("plan");
    await expect
      .poll(() => other.page.getByLabel("Mode", { exact: true }).inputValue())
      .toBe("plan");
    await page.getByLabel("Mode", { exact: true }).selectOption("Ask");
    await expect.poll(() => server.host.info.permissionMode).toBe("ask");
    await other.close();
    await page.getByLabel("Effort").selectOption("High");
    await expect.poll(() => page.url()).toMatch(/agent\/page-/);
    const threadId = page.url().split("/").at(-1) ?? "";
    await expect.poll(async () => (await server.host.chosen(threadId)).effort).toBe("high");
    expect(await page.getByLabel("Model").inputValue()).toBe("scripted");
    await close();
  });

  it("edits a message and resends it, with the files as before", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script(write("export const retries = 9;\n"), { text: "Nine." });
    await say(page, "Make it nine");
    await allow(page);
    await page.getByText("Nine.").waitFor();
    await idle(page);
    server.model.script({ text: "Eight then." });
    const message = page.getByRole("article", { name: "You" });
    await message.hover();
    await message.getByRole("button", { name: "Edit message" }).click();
    await expect.poll(() => field(page).inputValue()).toBe("Make it nine");
    await field(page).fill("Make it eight");
    await field(page).press("Enter");
    await page.getByText("Eight then.").waitFor();
    expect(await page.getByText("Nine.").count()).toBe(0);
    expect(await message.count()).toBe(1);
    const output = JSON.stringify(server.model.requests.at(-1)?.body.messages);
    expect(output).toContain("Make it eight");
    expect(output).not.toContain("Make it nine");
    await close();
  });

  it("renames, searches and groups threads", async () => {
    for (let count = 0; count < 6; count += 1) {
      const { threadId } = await server.host.create({ threadId: `listed-${count}` });
      await server.host.rename(threadId, `Listed ${count}`);
    }
    const { page, close } = await openPage(browser, at("default/agent/listed-1"));
    const threads = page.getByRole("navigation", { name: "Threads" });
    await threads.getByRole("region", { name: "Today" }).getByText("Listed 1").waitFor();
    await page.getByRole("button", { name: "Thread actions" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Payments");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Payments" }).waitFor();
    await threads.getByLabel("Search threads").fill("paym");
    expect(await threads.locator(".thread-title").allTextContents()).toEqual(["Payments"]);
    await close();
  });

  it("lists all changed files of a thread in one panel", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script(
      write("export const retries = 4;\n"),
      write("export const retries = 5;\n"),
      { text: "Twice." },
    );
    await say(page, "Change it twice");
    await allow(page);
    await page.locator(".permission").getByText("retries = 5").waitFor();
    await allow(page);
    await page.getByText("Twice.").waitFor();
    await idle(page);
    await page.getByRole("button", { name: "Changes" }).click();
    const panel = page.getByRole("complementary", { name: "Changes" });
    const file = panel.getByRole("listitem").filter({ hasText: "pay.ts" });
    await file.locator("summary").click();
    await file.getByText("retries = 5").waitFor();
    expect(await file.getByText("retries = 4").count()).toBe(0);
    await file.getByText("+1").waitFor();
    expect(await violations(page, "light")).toEqual([]);
    await close();
  });

  it("stops a run from a second device with a token of the scope approve", async () => {
    const { page, close } = await openPage(browser, at("default/agent"));
    server.model.script({ text: ["begun "], hang: "afterText" });
    await say(page, "Take your time");
    await page.getByText("begun").waitFor();
    const { token } = await new PeopleTokens(server.store.tokens).create("phone", "approve");
    const phone = await openPage(browser, page.url(), { width: 360, height: 740 });
    await phone.page.getByLabel("Token").fill(token);
    await phone.page.getByRole("button", { name: "Unlock" }).click();
    await phone.page.getByText("begun").waitFor();
    expect(await field(phone.page).count()).toBe(0);
    expect(await violations(phone.page, "light")).toEqual([]);
    await phone.page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await phone.close();
    await close();
  });
});
