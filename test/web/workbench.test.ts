// @module-tag long: a browser.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, pressShortcut } from "./support/browser.ts";
import { setUpServedPage } from "./support/served-page.ts";

const FACT = "episode_type=fact entities=tool:node";

describe.skipIf(browserPath === undefined)("the workbench", () => {
  const served = setUpServedPage();

  async function open(db: string, path: string, changeset: string) {
    const memory = served.server.store.open(db);
    await memory.execute("apply", { changeset });
    return { memory, ...(await served.open(`${db}${path}`)) };
  }

  async function fromPalette(page: Page, words: string) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
    await page.keyboard.type(words);
    // Item actions are offered once the page knows the current item.
    await page
      .getByRole("listbox", { name: "Results" })
      .getByRole("option", { selected: true })
      .filter({ hasText: new RegExp(words, "i") })
      .filter({ hasNotText: new RegExp(`^(Search|Recall) “${words}”`) })
      .waitFor();
    await page.keyboard.press("Enter");
  }

  const field = (page: Page, name: string) =>
    page.getByRole("dialog").getByLabel(name, { exact: true });

  it("writes a memory by key, shows collisions first, and keeps a draft", async () => {
    const { memory, page, close } = await open("write", "", `remember "We run Node 20." ${FACT}`);
    await page.getByRole("heading", { name: "write" }).waitFor();
    await pressShortcut(page, "c");
    await field(page, "Content").waitFor();
    await page.keyboard.type("We run Node 22.");
    await field(page, "Type").fill("fact");
    await field(page, "Entities").fill("tool:node");
    await page.getByText("Possible conflict with").waitFor();
    await page.getByRole("dialog").getByText("We run Node 20.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await pressShortcut(page, "c");
    await expect.poll(() => field(page, "Content").inputValue()).toBe("We run Node 22.");
    expect((await memory.execute("stats", {})).episodes.total).toBe(1);
    await field(page, "Content").press("Control+Enter");
    await page.getByRole("status").getByText("Saved the memory.").waitFor();
    expect((await memory.execute("stats", {})).facts.active).toBe(2);
    await pressShortcut(page, "z");
    await expect.poll(async () => (await memory.execute("stats", {})).facts.active).toBe(1);
    await close();
  });

  it("supersedes by key from the fact and by mouse from its episode, and undoes it", async () => {
    const { memory, page, close } = await open(
      "replace",
      "/item/fact%3A1",
      `remember "We run Node 20." ${FACT}`,
    );
    await page.locator(".text", { hasText: "We run Node 20." }).waitFor();
    await pressShortcut(page, "s");
    await field(page, "Content").waitFor();
    await page.keyboard.type("We run Node 22.");
    await page.getByText("Makes 2 changes").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText("Superseded the fact.").waitFor();
    const fact = async (id: string) => memory.execute("get_fact", { fact_id: id });
    expect(await fact("fact:1")).toMatchObject({
      status: "superseded",
      superseded_by: "fact:2",
    });
    expect(await fact("fact:2")).toMatchObject({ entities: ["tool:node"], status: "active" });
    await pressShortcut(page, "z");
    await expect.poll(async () => (await fact("fact:1")).status).toBe("active");
    await page.goto(`${served.server.url}/ui/replace/item/ep%3A1`);
    await page.getByRole("button", { name: "Supersede" }).click();
    await expect.poll(() => field(page, "Old").inputValue()).toBe("fact:1");
    await close();
  });

  const CONCEPTS = [
    'remember "One." as=one',
    'remember "Two." as=two',
    'concept title="First rule" from=$one "The first"',
    'concept title="Second rule" from=$two "The second"',
  ].join("\n");

  it("merges the selected items", async () => {
    const { memory, page, close } = await open("merge", "/find?kinds=concept", CONCEPTS);
    await page.getByRole("row").nth(1).waitFor();
    await page
      .getByRole("checkbox", { name: /^Select/ })
      .nth(0)
      .check();
    await page
      .getByRole("checkbox", { name: /^Select/ })
      .nth(1)
      .check();
    await page.getByRole("toolbar").getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Merge" }).click();
    await field(page, "Into").fill("One rule");
    await page.getByText("Makes 1 change").waitFor();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Merge/ })
      .click();
    await page.getByRole("status").getByText("Merged the concepts.").waitFor();
    const titles = async () =>
      (await memory.execute("list_concepts", {})).concepts.map(({ title }) => title);
    expect(await titles()).toEqual(["One rule"]);
    await pressShortcut(page, "z");
    await expect
      .poll(async () => (await titles()).toSorted())
      .toEqual(["First rule", "Second rule"]);
    await close();
  });

  it("splits, relates and adds evidence by keyboard only", async () => {
    const { memory, page, close } = await open("relate", "", CONCEPTS);
    const [second, first] = (await memory.execute("list_concepts", {})).concepts;
    await page.goto(`${served.server.url}/ui/relate/item/${first?.id}`);
    await page.getByRole("heading", { name: "First rule" }).waitFor();
    await fromPalette(page, "split");
    await field(page, "Into").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Reads, Writes");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText("Split the concept.").waitFor();
    await fromPalette(page, "relate one");
    await field(page, "To").fill(second?.id ?? "");
    await field(page, "Type").fill("implies");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText("Linked the concepts.").waitFor();
    await fromPalette(page, "as evidence");
    await field(page, "Episode").fill("ep:2");
    await field(page, "Type").selectOption("supports");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").getByText("Saved the evidence.").waitFor();
    const concept = await memory.execute("get_concept", { concept_id: first?.id ?? "" });
    expect(concept.relations).toMatchObject([{ type: "implies", target_id: second?.id }]);
    expect(concept.evidence).toMatchObject([{ episode_id: "ep:2" }]);
    expect((await memory.execute("list_concepts", {})).total).toBe(4);
    await close();
  });

  it("shows what a purge destroys, asks for confirmation and verifies the result", async () => {
    const { memory, page, close } = await open(
      "secret",
      "/item/ep%3A1",
      'remember "The password is swordfish."',
    );
    await page.locator(".text", { hasText: "swordfish" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Purge" }).click();
    const really = page.getByRole("dialog").getByRole("button", { name: /^Purge/ });
    expect(await really.isDisabled()).toBe(true);
    await page.getByRole("dialog").getByText("Permanently destroys the text of").waitFor();
    await page.getByRole("dialog").getByText("The password is swordfish.").waitFor();
    await page.getByLabel("I understand").check();
    await really.click();
    await page.getByText("no text left in the item or its history").waitFor();
    expect(JSON.stringify(await memory.execute("history", { id: "ep:1" }))).not.toContain(
      "swordfish",
    );
    await close();
  });

  it("shows the server's message for rejected input", async () => {
    const { page, close } = await open("refuse", "", 'remember "One."');
    await page.getByRole("heading", { name: "refuse" }).waitFor();
    await fromPalette(page, "entity relation");
    await field(page, "Source").fill("tool:nothing");
    await field(page, "Target").fill("tool:other");
    await field(page, "Relation").fill("depends_on");
    await page.getByText("More fields").click();
    await field(page, "Strength").fill("7");
    await page.locator(".preview .notice").waitFor();
    await close();
  });

  it("renames and deletes topics and labels after a confirmation, and undoes it", async () => {
    const { memory, page, close } = await open(
      "names",
      "/topics",
      [
        'topic name=Payments as=pay "Charging"',
        'remember "One." topic=$pay labels=area=bills',
        'remember "Two." topic=$pay labels=area=bills',
      ].join("\n"),
    );
    const confirm = async (title: string, verb: string) => {
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByText(/^2 items will|^This changes 2 items/).waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe(verb);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: "Rename label area=bills" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("area=billing");
    await page.keyboard.press("Enter");
    await confirm("Rename label area=bills to area=billing?", "Rename");
    await page.getByRole("link", { name: "area=billing" }).waitFor();
    expect((await memory.execute("list_labels", {})).labels).toMatchObject([
      { key: "area", value: "billing", count: 2 },
    ]);
    await page.locator("#main").focus();
    await pressShortcut(page, "z");
    await page.getByRole("link", { name: "area=bills" }).waitFor();
    await page.getByRole("button", { name: "Rename topic Payments" }).click();
    await page.getByLabel("New name for topic Payments").fill("Billing");
    await page.keyboard.press("Enter");
    await confirm("Rename topic Payments to Billing?", "Rename");
    await page.getByRole("link", { name: "Billing" }).waitFor();
    expect((await memory.execute("list_topics", {})).topics).toMatchObject([
      { name: "Billing", description: "Charging", episode_count: 2 },
    ]);
    await page.getByRole("button", { name: "Delete topic Billing" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete topic Billing" }).click();
    await confirm("Delete topic Billing?", "Delete");
    await page.getByText("No topics yet.").waitFor();
    const { topic_id: topic } = await memory.execute("get_episode", { episode_id: "ep:1" });
    expect(topic).toBeNull();
    await page.locator("#main").focus();
    await pressShortcut(page, "z");
    await page.getByRole("link", { name: "Billing" }).waitFor();
    await expect
      .poll(async () => (await memory.execute("list_topics", {})).topics)
      .toMatchObject([{ name: "Billing", episode_count: 2 }]);
    await page.getByRole("button", { name: "Delete label area=bills" }).click();
    await confirm("Delete label area=bills?", "Delete");
    await page.getByText("No labels.").waitFor();
    await close();
  });
});
