// @module-tag long: each task of the agent and of the connection, by keyboard and at phone size.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import type { ScriptedAnswer } from "../support/scripted-model.ts";
import { AGENT_TOKEN, type AgentPage, startAgentPage } from "./support/agent-page.ts";
import { browserPath, openPage, pressShortcut, startBrowser } from "./support/browser.ts";
import { type InputMethod, keyboard, mouse } from "./support/input-methods.ts";
import { SHOP } from "./support/shop.ts";

interface Setting {
  readonly page: Page;
  readonly hand: InputMethod;
  readonly server: AgentPage;
  readonly browser: Browser;
}

interface Task {
  readonly task: string;
  readonly answers?: readonly ScriptedAnswer[];
  /** Start path below the database; default: the agent. */
  readonly path?: string;
  /** True to start without access to the agent. */
  readonly isLocked?: boolean;
  does(setting: Setting): Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const field = (page: Page) => page.getByLabel("Message to the agent");
const idle = (page: Page) => page.getByText("Working").waitFor({ state: "detached" });
const shell = (command: string) => ({ toolCalls: [{ name: "shell", args: { command } }] });
const write = (path: string, content: string) => ({
  toolCalls: [{ name: "write", args: { path, content, overwrite: true } }],
});

async function send({ page, hand }: Setting, text: string): Promise<void> {
  await hand.write(field(page), text);
  if (hand === mouse) await button(page, "Send").click();
  else await page.keyboard.press("Enter");
}

/** Presses the button of a prompt, or its key. */
async function decide({ page, hand }: Setting, name: RegExp, key: string): Promise<void> {
  await page.locator(".permission").getByRole("button", { name }).first().waitFor();
  if (hand === mouse) return page.locator(".permission").getByRole("button", { name }).click();
  if (await field(page).evaluate((element) => element === document.activeElement))
    await page.keyboard.press("Escape");
  await pressShortcut(page, key);
}

async function openMenuItem({ page, hand }: Setting, name: string): Promise<void> {
  await hand.press(button(page, "Thread actions"));
  await hand.press(page.getByRole("menuitem", { name }));
}

/** Opens the list of threads, which a phone shows on a screen of its own. */
async function showThreads({ page, hand }: Setting): Promise<void> {
  if (hand === mouse) await hand.press(page.getByRole("link", { name: "Threads" }));
}

const TASKS: readonly Task[] = [
  {
    task: "talk to the agent",
    answers: [{ text: "It tries **five** times." }],
    async does(setting) {
      await send(setting, "How often?");
      await setting.page.locator("strong", { hasText: "five" }).waitFor();
    },
  },
  {
    task: "allow a call, and deny one with instructions",
    answers: [shell("touch allowed"), shell("npm publish"), { text: "I leave it." }],
    async does(setting) {
      const { page, hand, server } = setting;
      await send(setting, "Publish it");
      await decide(setting, /^Allow once/, "1");
      await page.locator(".permission").getByText("npm publish").waitFor();
      expect(existsSync(join(server.projectRoot, "allowed"))).toBe(true);
      await decide(setting, /^Deny/, "3");
      await hand.write(page.getByLabel(/What to do instead/), "not on a Friday");
      await hand.press(page.locator(".deny").getByRole("button", { name: "Deny" }));
      await page.getByText("I leave it.").waitFor();
      const sent = JSON.stringify(server.model.requests.at(-1)?.body.messages);
      expect(sent).toContain("not on a Friday");
    },
  },
  {
    task: "read the diff of a thread",
    answers: [write("long.ts", "export const line = 1;\n".repeat(300)), { text: "Written." }],
    async does(setting) {
      const { page, hand } = setting;
      await send(setting, "Write it");
      await page.locator(".permission").getByText("+300").waitFor();
      await decide(setting, /^Allow once/, "1");
      await page.getByText("Written.").waitFor();
      await idle(page);
      if (hand === mouse) await openMenuItem(setting, "Changes");
      else await hand.press(button(page, "Changes"));
      const file = page.getByRole("complementary", { name: "Changes" }).getByRole("listitem");
      await hand.press(file.locator("summary"));
      await file.getByText("export const line = 1;").first().waitFor();
      await hand.press(button(page, "Close panel"));
    },
  },
  {
    task: "undo a turn",
    answers: [write("pay.ts", "export const retries = 5;\n"), { text: "Changed." }],
    async does(setting) {
      const { page, hand, server } = setting;
      const path = join(server.projectRoot, "pay.ts");
      writeFileSync(path, "export const retries = 3;\n");
      await send(setting, "Try five times");
      await decide(setting, /^Allow once/, "1");
      await page.getByText("Changed.").waitFor();
      expect(readFileSync(path, "utf8")).toContain("5");
      await idle(page);
      await openMenuItem(setting, "Undo a turn");
      await page.getByText(/^Reverts 1 turn: /).waitFor();
      await hand.press(page.getByRole("dialog").getByRole("button", { name: "Undo" }));
      await expect.poll(() => readFileSync(path, "utf8")).toContain("3");
    },
  },
  {
    task: "switch threads",
    answers: [{ text: "First reply." }],
    async does(setting) {
      const { page, hand, server } = setting;
      await server.host.create({ threadId: "other" });
      await server.host.rename("other", "Other");
      await send(setting, "First");
      await page.getByText("First reply.").waitFor();
      await idle(page);
      const link = (name: string) =>
        page.getByRole("navigation", { name: "Threads" }).getByRole("link", { name });
      await showThreads(setting);
      await hand.press(link("Other"));
      await page.getByRole("heading", { name: "Other" }).waitFor();
      await showThreads(setting);
      await hand.press(link("First"));
      await page.getByText("First reply.").waitFor();
    },
  },
  {
    task: "continue in a copy of a session",
    answers: [{ text: "Original reply." }],
    async does(setting) {
      const { page, hand } = setting;
      await send(setting, "Begin");
      await page.getByText("Original reply.").waitFor();
      await idle(page);
      await send(setting, "/fork Second");
      await page.getByText(/^Forked as /).waitFor();
      await showThreads(setting);
      await hand.press(page.getByRole("link", { name: "Second" }));
      await page.getByRole("heading", { name: "Second" }).waitFor();
      await page.getByText("Original reply.").waitFor();
    },
  },
  {
    task: "answer from a second device with a token",
    answers: [shell("touch from-phone"), { text: "Done." }],
    async does(setting) {
      const { page, hand, server, browser } = setting;
      await send(setting, "Touch it");
      await page.locator(".permission").waitFor();
      const tokens = new PeopleTokens(server.store.tokens);
      const { token } = await tokens.create("phone", "approve");
      const width = page.viewportSize()?.width ?? 0;
      const second = await openPage(browser, page.url(), { width });
      await hand.write(second.page.getByLabel("Token"), token);
      await hand.press(button(second.page, "Unlock"));
      await hand.press(button(second.page, /^Allow once/));
      await page.getByText("Done.").waitFor();
      await second.close();
    },
  },
  {
    task: "unlock the agent with a token, in all tabs",
    isLocked: true,
    async does({ page, hand, server }) {
      await hand.write(page.getByLabel("Token"), "wrong");
      await hand.press(button(page, "Unlock"));
      await page.getByRole("alert").waitFor();
      await hand.write(page.getByLabel("Token"), AGENT_TOKEN);
      await hand.press(button(page, "Unlock"));
      await button(page, "New thread").waitFor();
      const tab = await page.context().newPage();
      await tab.goto(`${server.url}/ui/default/agent`);
      await button(tab, "New thread").waitFor();
    },
  },
  {
    task: "answer in one of two tabs",
    answers: [shell("touch from-tab"), { text: "Done." }],
    async does(setting) {
      const { page, hand, browser, server } = setting;
      await send(setting, "Touch it");
      await page.locator(".permission").waitFor();
      const path = new URL(page.url()).pathname.slice("/ui/".length);
      const width = page.viewportSize()?.width ?? 0;
      const other = await openPage(browser, server.address(path), { width });
      await hand.press(button(other.page, /^Allow once/));
      for (const tab of [page, other.page]) {
        await tab.getByText("Done.").waitFor();
        expect(await tab.locator(".permission").count()).toBe(0);
      }
      await other.close();
    },
  },
  {
    task: "resolve a conflict over a slow connection",
    path: "/inbox?part=conflicts",
    async does({ page, hand, server }) {
      const memory = server.store.open();
      await button(page, /^Keep first/).waitFor();
      const network = await page.context().newCDPSession(page);
      const slow = { latency: 1_200, downloadThroughput: 20_000, uploadThroughput: 20_000 };
      await network.send("Network.emulateNetworkConditions", { offline: false, ...slow });
      await hand.press(button(page, /^Keep first/));
      await page.getByText("No open conflicts.").waitFor();
      await expect
        .poll(async () => (await memory.execute("stats", {})).conflicts.open, { timeout: 20_000 })
        .toBe(0);
    },
  },
  {
    task: "find one of 3,000 items, and its entity on the map",
    path: "/find",
    async does({ page, hand, server }) {
      const lines = Array.from(
        { length: 3_000 },
        (_, n) => `remember "Note ${n} about part ${n}." entities=module:m${n % 500}`,
      );
      await server.store.open().execute("apply", { changeset: lines.join("\n") });
      await hand.write(page.getByRole("searchbox"), "Note 2718");
      const row = page.getByRole("row").filter({ hasText: "Note 2718 about" });
      await row.waitFor();
      if (hand === mouse) await row.click();
      else await page.keyboard.press("Enter");
      await hand.press(page.getByRole("link", { name: "module:m218" }).first());
      await page.getByRole("heading", { name: "m218" }).waitFor();
      await page.goto(`${server.url}/ui/default/map?center=module%3Am218`);
      await hand.press(page.locator(".map-label").first());
      await page.locator(".map-panel").waitFor();
    },
  },
];

const WAYS: readonly { by: string; hand: InputMethod; width: number }[] = [
  { by: "by keyboard alone", hand: keyboard, width: 1280 },
  { by: "at 360 px", hand: mouse, width: 360 },
];

describe.skipIf(browserPath === undefined)("user tasks with the agent and the connection", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  const rows = TASKS.flatMap((task) => WAYS.map((way) => ({ ...task, ...way })));

  it.each(rows)(
    "is to $task: $by",
    async ({ answers = [], path = "/agent", isLocked = false, does, hand, width }) => {
      const server = await startAgentPage();
      try {
        await server.store.open().execute("apply", { changeset: SHOP });
        if (answers.length > 0) server.model.script(...answers);
        const address = isLocked
          ? `${server.url}/ui/default${path}`
          : server.address(`default${path}`);
        const { page, close } = await openPage(browser, address, { width });
        await does({ page, hand, server, browser });
        await close();
      } finally {
        await server.end();
      }
    },
    90_000,
  );

  it.each(WAYS)(
    "is to go on after the server was killed during a run: $by",
    async ({ hand, width }) => {
      const server = await startAgentPage();
      const { page, close } = await openPage(browser, server.address("default/agent"), { width });
      const setting = { page, hand, browser, server };
      server.model.script({ text: ["begun "], hang: "afterText" }, { text: "After." });
      await send(setting, "First");
      await page.getByText("begun").waitFor();
      await server.stop();
      await page.getByText("Connection to the agent lost.").waitFor();
      const { port, projectRoot, model } = server;
      const again = await startAgentPage({ port, projectRoot, model });
      try {
        await page.getByText("Connection to the agent lost.").waitFor({ state: "detached" });
        await page.getByRole("article", { name: "You" }).getByText("First").waitFor();
        await send(setting, "Second");
        await page.getByText("After.").waitFor();
        await close();
      } finally {
        await again.end();
      }
    },
    90_000,
  );
});
