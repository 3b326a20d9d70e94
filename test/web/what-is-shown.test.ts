// @module-tag long: a browser.
import { describe, expect, it } from "vitest";
import { serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, pressShortcut } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";

const ABOUT = "episode_type=fact entities=tool:gateway,concept:timeout";

describe.skipIf(browserPath === undefined)("displayed content", () => {
  const served = setUpServedPage();

  it("titles a fact cluster by its active fact in list, page and map", async () => {
    const memory = served.server.store.open("clusters");
    await memory.execute("apply", {
      changeset: [
        `remember "It waits 30 seconds." ${ABOUT} occurred_at=2026-01-02`,
        `remember "It waits 10 seconds." ${ABOUT} occurred_at=2026-02-01`,
        "supersede old=fact:1 new=fact:2",
      ].join("\n"),
    });
    const [cluster] = (await memory.execute("list_concepts", {})).concepts;
    const { page, close } = await served.open("clusters/find?kinds=concept");
    const row = page.getByRole("row").filter({ hasText: "It waits 10 seconds." });
    await row.getByText("tool:gateway").waitFor();
    await page.goto(served.at(`clusters/item/${cluster?.id}`));
    await page.getByRole("heading", { name: "It waits 10 seconds." }).waitFor();
    await page.getByRole("link", { name: "concept:timeout" }).first().waitFor();
    await page.goto(served.at(`clusters/map?center=${cluster?.id}`));
    await page.getByRole("button", { name: /^It waits 10 seconds\., fact_cluster/ }).waitFor();
    await page.goto(served.at(`clusters/map?center=${cluster?.id}&as_of=2026-01-03`));
    await page.getByRole("button", { name: /^It waits 30 seconds\., fact_cluster/ }).waitFor();
    await page.goto(served.at(`clusters/map?center=${cluster?.id}&view=table`));
    await page.getByRole("cell", { name: "It waits 10 seconds." }).first().waitFor();
    await close();
  });

  it("shows incoming relations of a concept", async () => {
    const memory = served.server.store.open("leads");
    await memory.execute("apply", {
      changeset: [
        'remember "One." as=one',
        'concept title="Cause" from=$one as=cause "Why"',
        'concept title="Effect" from=$one as=effect "What"',
        "link from=$cause to=$effect type=leads_to",
      ].join("\n"),
    });
    const { concepts } = await memory.execute("list_concepts", {});
    const effect = concepts.find(({ title }) => title === "Effect");
    const { page, close } = await served.open(`leads/item/${effect?.id}?tab=relations`);
    await page.getByRole("tab", { name: "Relations 1" }).waitFor();
    const line = page.getByRole("listitem").filter({ hasText: "leads to" });
    await line.getByRole("link", { name: "Cause" }).click();
    await page.getByRole("heading", { name: "Cause" }).waitFor();
    await close();
  });

  it("undoes an import of any size by key", async () => {
    const memory = served.server.store.open("brought");
    const lines = Array.from({ length: 600 }, (_, n) =>
      JSON.stringify({
        type: "entity",
        name: `e${n}`,
        entityType: "thing",
        observations: [`Is ${n}`],
      }),
    );
    const { page, close } = await served.open("brought");
    await page.locator("input[type=file]").setInputFiles({
      name: "memory.jsonl",
      mimeType: "application/json",
      buffer: Buffer.from(lines.join("\n")),
    });
    await page.getByRole("button", { name: /^Import \d/ }).click();
    await page.getByRole("status").getByText("Imported").first().waitFor();
    const count = async () => (await memory.execute("stats", {})).episodes.total;
    expect(await count()).toBe(600);
    expect((await memory.execute("changes", {})).changes.length).toBeGreaterThan(1);
    await page.locator("#main").focus();
    await pressShortcut(page, "z");
    await page.getByText(/^Undid \d+ changes/).waitFor();
    expect(await count()).toBe(0);
    await close();
  });

  it("shows memories as typed", async () => {
    const content = [
      "# Steps, see https://example.org",
      "    npm run build",
      "\tnode cli.js **all** `x`",
      "- first",
      "2. second",
      "",
      "snake_case_name, src/**/a/**/b.ts <b>2 * 3 * 4</b>",
    ].join("\n");
    const typed = served.server.store.open("typed");
    await typed.execute("remember", { content, episode_type: "fact", entities: "tool:npm" });
    const concept = await typed.execute("create_concept", {
      title: "Build",
      summary: content,
      from: ["ep:1"],
    });
    const { page, close } = await served.open("typed/item/ep%3A1");
    for (const id of ["ep:1", "fact:1", concept.id]) {
      await page.goto(served.at(`typed/item/${id}`));
      const text = page.locator(".text-body .text");
      await text.waitFor();
      expect([id, await text.textContent()]).toEqual([id, content]);
      expect(await text.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe(
        "pre-wrap",
      );
    }
    await page.goto(served.at("typed/find?kinds=fact"));
    await page.getByRole("row").getByText("**all** `x`").waitFor();
    await close();
  });

  it("renders agent responses and Markdown files of a source as Markdown", async () => {
    const said = { occurred_at: "2026-03-01T10:00:00Z", text: "Use **five** retries." };
    await served.server.store.open("sources").execute("read_source", {
      kind: "claude-code",
      key: "s-1",
      passages: [
        { ...said, key: "1", role: "turn", by: "user" },
        { ...said, key: "2", role: "turn", by: "assistant" },
        { ...said, key: "3", role: "commit", by: "ada" },
        { ...said, key: "4", role: "section", by: "ada" },
      ],
    });
    const { page, close } = await served.open("sources/item/source%3A1");
    await expect
      .poll(() => page.locator(".passages .text-body").allTextContents())
      .toEqual([said.text, "Use five retries.", said.text, "Use five retries."]);
    expect(await page.locator(".passages strong").allTextContents()).toEqual(["five", "five"]);
    await close();
  });

  it("shows text matches before a slow recall completes", async () => {
    await served.server.store
      .open("slow")
      .execute("remember", { content: "We deploy on Tuesdays." });
    const { page, close } = await openPage(served.browser, "about:blank");
    const held: { go?: () => void } = {};
    const go = new Promise<void>((resolve) => {
      held.go = resolve;
    });
    await page.route(/\/api\/v1\/query/, async (route) => {
      const request = route.request();
      if (!`${request.url()} ${request.postData()}`.includes("timeout_ms")) await go;
      await route.continue();
    });
    await page.goto(served.at("slow/recall?q=deploy"));
    await page.getByText("Partial result from text and graph.").waitFor();
    await page.locator(".recalled", { hasText: "We deploy on Tuesdays." }).waitFor();
    held.go?.();
    await expect.poll(() => page.getByText("Partial result from text and graph.").count()).toBe(0);
    await page.locator(".recalled", { hasText: "We deploy on Tuesdays." }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close();
  });

  it("requests no token in a second tab, nor in one opened before", async () => {
    const locked = await serveMemory({ token: "s3cret" });
    const { page, close } = await openPage(served.browser, `${locked.url}/ui/default`);
    await page.getByLabel("Token").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${locked.url}/ui/default`);
    await other.getByLabel("Token").waitFor();
    await page.getByLabel("Token").fill("s3cret");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "default" }).waitFor();
    await other.getByRole("heading", { name: "default" }).waitFor();
    const third = await page.context().newPage();
    await third.goto(`${locked.url}/ui/default/find`);
    await third.getByRole("searchbox").waitFor();
    await third.reload();
    await third.getByRole("searchbox").waitFor();
    await close();
    await locked.end();
  });

  it("keeps the batch form and its button visible next to forty episodes", async () => {
    const changeset = Array.from({ length: 40 }, (_, n) => `remember "Note ${n}." e=tool:pg`);
    await served.server.store.open("batch").execute("apply", { changeset: changeset.join("\n") });
    const opened = await openPage(served.browser, served.at("batch/inbox?part=pending"), {
      height: 900,
    });
    const { page, close } = opened;
    const [title, summary] = [page.getByLabel("Concept title"), page.getByLabel("Summary")];
    await title.waitFor();
    const [upper, lower] = [await title.boundingBox(), await summary.boundingBox()];
    expect((lower?.y ?? 900) - (upper?.y ?? 0)).toBeLessThan(120);
    await title.fill("Notes");
    const write = await page.getByRole("button", { name: /^Create concept/ }).boundingBox();
    expect((write?.y ?? 900) + (write?.height ?? 0)).toBeLessThanOrEqual(900);
    await close();
  });

  it("distinguishes entities, links facts, shows tags, and wraps a long author", async () => {
    const by = "a".repeat(120);
    const about = `episode_type=fact entities=module:orders,concept:log_level asserted_by=${by}`;
    await served.server.store.open("small").execute("apply", {
      changeset: [
        `remember "The level is info." ${about}`,
        `remember "The level is debug." ${about}`,
        'remember "Levels are set by hand." as=hand',
        'concept title="Levels" from=$hand tags=logging,levels as=levels',
      ].join("\n"),
    });
    const { page, close } = await openPage(
      served.browser,
      served.at("small/inbox?part=collisions"),
      {
        width: 360,
      },
    );
    await page
      .getByText(/^Shared entities: (module:orders concept|concept:log_level module)/)
      .waitFor();
    await page.goto(served.at("small/item/ep%3A1?tab=facts"));
    await page.getByRole("link", { name: "fact:1", exact: true }).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    const { concepts } = await served.server.store.open("small").execute("list_concepts", {});
    const levels = concepts.find(({ title }) => title === "Levels");
    await page.goto(served.at(`small/item/${levels?.id}`));
    await page.getByText("logging").first().waitFor();
    await close();
  });

  it("keeps a rejected name, lists created databases, and imports a dropped file", async () => {
    await served.server.store.open("made").execute("remember", { content: "Here." });
    const { page, close } = await served.open("made/databases");
    const name = page.getByLabel("New database");
    await name.fill("Bad Name!");
    await name.press("Enter");
    await page.locator(".toast.error").waitFor();
    expect(await name.inputValue()).toBe("Bad Name!");
    await name.fill("freshly-made");
    await name.press("Enter");
    await page.locator(".database-menu option", { hasText: "freshly-made" }).waitFor({
      state: "attached",
    });
    await page.goto(served.at("made"));
    await page.locator("summary", { hasText: "Import from" }).click();
    await page.locator(".drop").waitFor();
    const dropped = (selector: string) => `(() => {
      const dataTransfer = new DataTransfer();
      for (const name of ["a.md", "b.md"]) dataTransfer.items.add(new File(["- one"], name));
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
      return !document.querySelector("${selector}").dispatchEvent(event);
    })()`;
    expect(await page.evaluate(dropped("main"))).toBe(true);
    expect(await page.evaluate(dropped(".drop"))).toBe(true);
    await page.getByText("Only the first file was selected").waitFor();
    await close();
  });
});
