// @module-tag long: a browser.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serveMemory, temporaryFolder } from "../support/memory-server.ts";
import { browserPath, openPage, pressShortcut } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";

/** In the format of the reference MCP memory server, with one wrong fact. */
const SERVER_MEMORY = [
  { type: "entity", name: "shop", entityType: "project", observations: ["Deploys on Fridays"] },
  { type: "entity", name: "Ada", entityType: "person", observations: ["Prefers small commits"] },
  { type: "relation", from: "Ada", to: "shop", relationType: "maintains" },
]
  .map((line) => JSON.stringify(line))
  .join("\n");

describe.skipIf(browserPath === undefined)("deciding and watching", () => {
  const served = setUpServedPage();

  const status = (page: Page, text: string) => page.getByRole("status").getByText(text).first();

  it("imports a dropped file, explains a recalled wrong fact, corrects and undoes it", async () => {
    const { page, close } = await served.open(`default`);
    await page.getByText("This database is empty").waitFor();
    await page.locator("input[type=file]").setInputFiles({
      name: "memory.jsonl",
      mimeType: "application/json",
      buffer: Buffer.from(SERVER_MEMORY),
    });
    await page.getByText("memory.jsonl detected as server-memory").waitFor();
    expect((await served.server.store.open().execute("stats", {})).episodes.total).toBe(0);
    await page.getByRole("button", { name: /^Import \d/ }).click();
    await status(page, "Imported").waitFor();
    await page.goto(`${served.server.url}/ui/default/recall?q=when+does+shop+deploy`);
    const found = page.locator(".recalled", { hasText: "Deploys on Fridays" }).first();
    await found.getByText("Score breakdown").click();
    await found.getByRole("cell", { name: "the query" }).first().waitFor();
    await page.goto(`${served.server.url}/ui/default/item/ep:1`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Content" }).fill("Deploys on Mondays");
    await page.keyboard.press("Control+Enter");
    await page.locator(".text", { hasText: "Deploys on Mondays" }).waitFor();
    await page.getByRole("status").getByRole("button", { name: /^Undo/ }).click();
    await page.locator(".text", { hasText: "Deploys on Fridays" }).waitFor();
    await close();
  });

  it("resolves three conflicts with one key each, and undoes the last", async () => {
    const about = "episode_type=fact entities=tool:";
    const lines = [1, 2, 3].flatMap((n) => [
      `remember "Port of ${n} is ${n}000." ${about}t${n} as=a${n}`,
      `remember "Port of ${n} is ${n}001." ${about}t${n} as=b${n}`,
      `conflict fact_a=$a${n} fact_b=$b${n} "Ports of ${n}"`,
    ]);
    const ports = served.server.store.open("ports");
    await ports.execute("apply", { changeset: lines.join("\n") });
    const { page, close } = await served.open(`ports/inbox`);
    for (const [key, left] of [
      ["1", 2],
      ["2", 1],
      ["b", 0],
    ] as const) {
      await page.locator(".decision").waitFor();
      await page.keyboard.press(key);
      await expect
        .poll(async () => (await ports.execute("stats", {})).conflicts.open, {
          timeout: 60_000,
        })
        .toBe(left);
    }
    await page.getByText("No open conflicts.").waitFor();
    const { conflicts } = await ports.execute("stats", {});
    expect(conflicts).toEqual({ open: 0, resolved: 2, dismissed: 1 });
    await pressShortcut(page, "z");
    await page.locator(".decision").waitFor();
    await close();
  });

  it("prompts again about two facts after a server error, and resolves them by key", async () => {
    const twice = served.server.store.open("twice");
    await twice.execute("apply", {
      changeset: [
        'remember "The port is 1000." episode_type=fact entities=tool:web',
        'remember "The port is 1001." episode_type=fact entities=tool:web',
      ].join("\n"),
    });
    const { page, close } = await served.open(`twice/inbox?part=collisions`);
    const pair = page.getByRole("region", { name: "Possible conflict" });
    await pair.getByRole("button", { name: /^Keep both/ }).waitFor();
    const prompt = await pair.innerText();
    await page.route("**/api/v1/**", async (route) => {
      if (route.request().method() === "GET") return route.continue();
      const error = { code: "busy", message: "Not now." };
      return route.fulfill({ status: 503, json: { error } });
    });
    await pressShortcut(page, "b");
    await page.getByText("Not now.").waitFor();
    await expect.poll(() => pair.innerText()).toBe(prompt);
    await page.unrouteAll({ behavior: "wait" });
    await pressShortcut(page, "b");
    await page.getByText("No possible conflicts.").waitFor();
    await expect
      .poll(async () => (await twice.execute("stats", {})).conflicts)
      .toEqual({ open: 0, resolved: 0, dismissed: 1 });
    await close();
  });

  it("turns a batch of episodes into a concept by the changeset that it showed", async () => {
    const batch = served.server.store.open("batch");
    await batch.execute("apply", {
      changeset: 'remember "It said \\"no\\"." session=s\nremember "It failed again." session=s',
    });
    const { page, close } = await served.open(`batch/inbox?part=pending`);
    await page.getByText("0 done, 2 left").waitFor();
    await page.locator("#main").focus();
    await pressShortcut(page, "s");
    await page.getByText("1 skipped. No other items.").waitFor();
    await page.getByRole("button", { name: "Review skipped items" }).click();
    await page.getByRole("textbox", { name: "Concept title" }).fill('Say "no" early');
    await page.getByLabel("Role of ep:1").selectOption("supports");
    await page.getByText("evidence concept=$it episode=ep:1 type=supports").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("All episodes are reviewed.").waitFor();
    const titles = async () =>
      (await batch.execute("list_concepts", {})).concepts.map(({ title }) => title);
    await expect.poll(titles).toEqual(['Say "no" early']);
    await close();
  });

  it("counts the pending items of a tab soon after a decision", async () => {
    const counted = served.server.store.open("counted");
    for (const entity of ["tool:a", "tool:b"]) {
      await counted.execute("remember", { content: `About ${entity}.`, entities: entity });
    }
    const { page, close } = await served.open("counted/inbox?part=pending");
    const tab = page.getByRole("link", { name: /^Unreviewed/ });
    await tab.getByText("2").waitFor();
    await page.getByRole("button", { name: /^Mark as reviewed/ }).click();
    // Writes of others are counted only every ten seconds.
    await expect.poll(() => tab.textContent(), { timeout: 6_000 }).toMatch(/Unreviewed\s*[01]$/);
    await close();
  });

  it("shows writes between load and subscription", async () => {
    const server = await serveMemory();
    await server.store.open().execute("remember", { content: "Before" });
    const { page, close } = await openPage(served.browser, "about:blank");
    await page.route("**/api/v1/events?*since_seq=latest*", async (route) => {
      await page.getByText("Before").waitFor();
      await server.store.open().execute("remember", { content: "In between" });
      await route.continue();
    });
    await page.goto(`${server.url}/ui/default/feed`);
    await page.getByText("In between").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close();
    await server.end();
  }, 90_000);

  it("shows an agent's writes, resumes after the server was down, and names who undid what", async () => {
    const dataDir = temporaryFolder();
    const first = await serveMemory({ dataDir });
    const port = Number(new URL(first.url).port);
    await first.store.open().execute("remember", { content: "Before", asserted_by: "ada" });
    const { page, close } = await openPage(served.browser, `${first.url}/ui/default/feed`);
    await page.getByText("Before").waitFor();
    await first.store.open().execute("remember", { content: "Seen live", asserted_by: "agent" });
    await page.getByText("Seen live").waitFor();
    await first.end();
    await page.getByText("Server unreachable.").waitFor();
    await page.getByText("Seen live").waitFor();
    expect(await page.getByRole("button", { name: "Undo change:2" }).count()).toBe(0);
    const second = await serveMemory({ dataDir, port });
    await second.store.open().execute("remember", { content: "While it was away" });
    await page.getByText("While it was away").waitFor({ timeout: 90_000 });
    await page.getByRole("button", { name: "Undo change:2" }).click();
    await page.getByText("undone by change:4").waitFor();
    await close();
    await second.end();
  }, 90_000);
});
