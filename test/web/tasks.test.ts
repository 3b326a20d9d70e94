// @module-tag long: each task by keyboard and at phone size.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemoryEngine } from "../../src/memory/index.ts";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";
import {
  focusByKeyboard,
  type InputMethod,
  keyboard,
  mouse,
  showsTask,
} from "./support/input-methods.ts";
import { SHOP } from "./support/shop.ts";

interface Task {
  readonly task: string;
  /** Start path below the database. */
  readonly path: string;
  readonly changeset?: string;
  does(page: Page, hand: InputMethod, memory: MemoryEngine): Promise<void>;
}

const FACT = "episode_type=fact entities=tool:node";
const PORTS = [1, 2, 3].flatMap((n) => [
  `remember "Port of ${n} is ${n}000." episode_type=fact entities=tool:t${n} as=a${n}`,
  `remember "Port of ${n} is ${n}001." episode_type=fact entities=tool:t${n} as=b${n}`,
  `conflict fact_a=$a${n} fact_b=$b${n} "Ports of ${n}"`,
]);
const CONCEPTS = [
  'remember "One." as=one',
  'remember "Two." as=two',
  'concept title="First rule" from=$one "The first"',
  'concept title="Second rule" from=$two "The second"',
];

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog");
/** Selects the first two rows of the list. */
async function selectTwo(page: Page, hand: InputMethod): Promise<void> {
  if (hand === mouse) {
    for (const row of [0, 1])
      await page
        .getByRole("checkbox", { name: /^Select/ })
        .nth(row)
        .check();
    return;
  }
  await focusByKeyboard(page.getByRole("grid"));
  for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
}
const done = (page: Page, text: string) => page.getByRole("status").getByText(text).waitFor();

/** User tasks. Each is performed by mouse, and by keyboard only. */
const TASKS: readonly Task[] = [
  {
    task: "find a wrong fact, and see why it is believed",
    path: "/find",
    async does(page, hand) {
      await hand.write(page.getByRole("searchbox"), "timeout of 10");
      const row = page.getByRole("row", { name: /^Select ep:2 / });
      await row.waitFor();
      if (hand === mouse) await row.click();
      else await hand.press(page.getByRole("grid"));
      await page.getByRole("complementary").getByText("bruno").first().waitFor();
    },
  },
  {
    task: "correct it, and take that back",
    path: "/item/fact%3A1",
    changeset: `remember "We run Node 20." ${FACT}`,
    async does(page, hand, memory) {
      const status = async () => (await memory.execute("get_fact", { fact_id: "fact:1" })).status;
      await hand.press(button(page, "Supersede"));
      await hand.write(dialog(page).getByLabel("Content", { exact: true }), "We run Node 22.");
      await page.getByText("Makes 2 changes").waitFor();
      await hand.press(dialog(page).getByRole("button", { name: /^Supersede/ }));
      await expect.poll(status).toBe("superseded");
      await hand.press(page.getByRole("status").getByRole("button", { name: /^Undo/ }));
      await expect.poll(status).toBe("active");
    },
  },
  {
    task: "settle three conflicts",
    path: "/inbox",
    changeset: PORTS.join("\n"),
    async does(page, hand, memory) {
      for (const left of [2, 1, 0]) {
        await hand.press(button(page, /^Keep first/));
        await expect
          .poll(async () => (await memory.execute("stats", {})).conflicts.open)
          .toBe(left);
      }
    },
  },
  {
    task: "merge two concepts",
    path: "/find?kinds=concept",
    changeset: CONCEPTS.join("\n"),
    async does(page, hand, memory) {
      await selectTwo(page, hand);
      await hand.press(page.getByRole("toolbar").getByRole("button", { name: "More actions" }));
      await hand.press(page.getByRole("menuitem", { name: "Merge" }));
      await hand.write(dialog(page).getByLabel("Into", { exact: true }), "One rule");
      await page.getByText("Makes 1 change").waitFor();
      await hand.press(dialog(page).getByRole("button", { name: /^Merge/ }));
      await done(page, "Merged the concepts.");
      expect((await memory.execute("list_concepts", {})).total).toBe(1);
    },
  },
  {
    task: "explain a recall",
    path: "/recall",
    async does(page, hand) {
      await hand.write(page.getByLabel("Query"), "when do we deploy?");
      await hand.press(button(page, "Recall"));
      const found = page.locator(".recalled", { hasText: "We deploy on Tuesdays" }).first();
      await hand.press(found.getByText("Score breakdown"));
      await found.getByRole("cell", { name: "the query" }).first().waitFor();
    },
  },
  {
    task: "see why something was not found, by words",
    path: "/recall?q=mail",
    async does(page, hand) {
      await hand.write(page.getByLabel(/Missing item/), "the deploy decision");
      await hand.press(button(page, "Why not?"));
      await showsTask(page, "Closest match");
    },
  },
  {
    task: "purge a secret",
    path: "/item/ep%3A1",
    changeset: 'remember "The password is swordfish."',
    async does(page, hand) {
      await hand.press(button(page, "More actions"));
      await hand.press(page.getByRole("menuitem", { name: "Purge" }));
      await hand.press(page.getByLabel("I understand"));
      await hand.press(dialog(page).getByRole("button", { name: /^Purge/ }));
      await showsTask(page, "no text left in the item or its history");
    },
  },
  {
    task: "bring in a file",
    path: "",
    async does(page, hand, memory) {
      await hand.press(page.getByText("Import from another tool"));
      const choosing = page.waitForEvent("filechooser");
      await hand.press(button(page, "Choose file"));
      const said = { type: "entity", name: "shop", entityType: "x", observations: ["It is open."] };
      await (await choosing).setFiles({
        name: "memory.jsonl",
        mimeType: "application/json",
        buffer: Buffer.from(`${JSON.stringify(said)}\n`),
      });
      await hand.press(button(page, /^Import \d/));
      await expect
        .poll(async () => (await memory.execute("items", { text: "It is open." })).items.length)
        .toBe(1);
    },
  },
  {
    task: "learn why a file cannot be imported",
    path: "",
    async does(page, hand) {
      await hand.press(page.getByText("Import from another tool"));
      const choosing = page.waitForEvent("filechooser");
      await hand.press(button(page, "Choose file"));
      await (await choosing).setFiles({
        name: "notes.bin",
        mimeType: "application/octet-stream",
        buffer: Buffer.from([0, 1, 2, 255]),
      });
      await page.getByRole("alert").waitFor();
    },
  },
  {
    task: "take a list out as Markdown",
    path: "/find?type=decision",
    async does(page, hand) {
      await hand.press(button(page, "Export"));
      const saving = page.waitForEvent("download");
      await hand.press(page.getByRole("menuitem", { name: "Save as .md" }));
      const text = await readFile(await (await saving).path(), "utf8");
      expect(text).toContain("We deploy on Tuesdays");
    },
  },
  {
    task: "go to another database",
    path: "/topics",
    async does(page, hand) {
      await hand.choose(page.getByLabel("Database"), "other");
      await page.waitForURL(/\/ui\/other/);
    },
  },
  {
    task: "rename a topic",
    path: "/topics",
    changeset: 'topic name=payments as=pay "Charging"\nremember "One." topic=$pay',
    async does(page, hand, memory) {
      await hand.press(button(page, "Rename topic payments"));
      await hand.write(page.getByLabel("New name for topic payments"), "billing");
      await hand.press(page.locator("form").getByRole("button", { name: "Rename", exact: true }));
      await hand.press(dialog(page).getByRole("button", { name: "Rename", exact: true }));
      const names = async () =>
        (await memory.execute("list_topics", {})).topics.map((topic) => topic.name);
      await expect.poll(names).toContain("billing");
    },
  },
  {
    task: "write a memory by hand",
    path: "",
    async does(page, hand, memory) {
      await hand.press(button(page, /^Add memory/));
      await hand.write(dialog(page).getByLabel("Content", { exact: true }), "Written by hand.");
      await hand.press(dialog(page).getByRole("button", { name: /^Remember/ }));
      await expect
        .poll(async () => (await memory.execute("items", { text: "by hand" })).items.length)
        .toBe(1);
    },
  },
  {
    task: "edit a memory",
    path: "/item/ep%3A5",
    async does(page, hand, memory) {
      await hand.press(button(page, "Edit"));
      await hand.write(page.getByLabel("Content", { exact: true }), "We deploy on Mondays.");
      await hand.press(button(page, /^Save/));
      await expect
        .poll(async () => (await memory.execute("get_episode", { episode_id: "ep:5" })).content)
        .toBe("We deploy on Mondays.");
    },
  },
  {
    task: "undo a change and redo it",
    path: "/feed",
    changeset: 'remember "One."',
    async does(page, hand, memory) {
      const count = async () => (await memory.execute("stats", {})).episodes.total;
      await hand.press(button(page, "Undo change:1"));
      await expect.poll(count).toBe(0);
      await hand.press(button(page, "Undo change:2"));
      await expect.poll(count).toBe(1);
    },
  },
  {
    task: "read the history of an item",
    path: "/item/ep%3A3",
    async does(page, hand) {
      await hand.press(page.getByRole("tab", { name: "History" }));
      await page.locator(".history").getByText("remembered").first().waitFor();
    },
  },
  {
    task: "generalize an episode into a concept",
    path: "/item/ep%3A3",
    async does(page, hand, memory) {
      await hand.press(button(page, "More actions"));
      await hand.press(page.getByRole("menuitem", { name: "Create concept" }));
      await hand.write(dialog(page).getByLabel("Title", { exact: true }), "Charge once");
      await hand.press(dialog(page).getByRole("button", { name: /^Create concept/ }));
      const titles = async () =>
        (await memory.execute("list_concepts", {})).concepts.map(({ title }) => title);
      await expect.poll(titles).toContain("Charge once");
    },
  },
  {
    task: "label several memories",
    path: "/find?type=outcome",
    async does(page, hand, memory) {
      await selectTwo(page, hand);
      await hand.press(page.getByRole("toolbar").getByRole("button", { name: "Add label" }));
      await hand.write(dialog(page).getByLabel(/^Label/), "area=mail");
      await hand.press(dialog(page).getByRole("button", { name: "Add", exact: true }));
      await expect
        .poll(async () => (await memory.execute("items", { labels: ["area=mail"] })).items.length)
        .toBe(2);
    },
  },
  {
    task: "mark all matches as reviewed",
    path: "/find?type=observation",
    changeset: Array.from({ length: 120 }, (_, at) => `remember "Number ${at}."`).join("\n"),
    async does(page, hand, memory) {
      await selectTwo(page, hand);
      await hand.press(button(page, "Select all 120"));
      await hand.press(page.getByRole("toolbar").getByRole("button", { name: "Mark as reviewed" }));
      await hand.press(dialog(page).getByRole("button", { name: "Mark as reviewed" }));
      await expect
        .poll(async () => (await memory.execute("stats", {})).consolidation.pending)
        .toBe(0);
    },
  },
  {
    task: "filter a list",
    path: "/find",
    async does(page, hand) {
      const isNarrow = hand === mouse;
      if (isNarrow) await hand.press(button(page, "Filters"));
      await hand.press(page.getByRole("checkbox", { name: /^decision/ }));
      if (isNarrow) await hand.press(button(page, "Show results"));
      await expect.poll(() => page.getByRole("row").count()).toBe(1);
    },
  },
  {
    task: "see what is around an entity",
    path: "/map?center=tool%3Agateway",
    async does(page, hand) {
      await hand.press(page.getByRole("button", { name: /^tool:gateway|^gateway/ }).first());
      await page.getByRole("complementary").getByText("connected").waitFor();
    },
  },
  {
    task: "open what was written on a day",
    path: "",
    async does(page, hand) {
      await hand.press(page.locator(".day-bars a").last());
      await page.waitForURL(/\/find\?since=/);
      await page.getByRole("row").first().waitFor();
    },
  },
  {
    task: "accept a proposal",
    path: "/inbox?part=proposals",
    changeset: 'propose "We use npm." reason="Said once"',
    async does(page, hand, memory) {
      await hand.press(button(page, /^Accept/));
      await expect.poll(async () => (await memory.execute("list_proposals", {})).total).toBe(0);
    },
  },
  {
    task: "follow an entity in time",
    path: "/item/tool%3Agateway",
    async does(page, hand) {
      await hand.press(page.getByRole("tab", { name: "Story", exact: true }));
      await showsTask(page, "Facts and episodes about this entity");
    },
  },
];

describe.skipIf(browserPath === undefined)("user tasks", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory();
    await server.store.open("other").execute("remember", { content: "Something else." });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const WAYS: readonly { by: string; hand: InputMethod; width: number }[] = [
    { by: "by keyboard alone", hand: keyboard, width: 1280 },
    { by: "at 360 px", hand: mouse, width: 360 },
  ];
  const rows = TASKS.flatMap((task, at) =>
    WAYS.map((way, index) => ({ ...task, ...way, db: `t${at}-${index}` })),
  );

  it.each(rows)(
    "is to $task: $by",
    async ({ path, changeset = SHOP, does, hand, width, db }) => {
      const memory = server.store.open(db);
      await memory.execute("apply", { changeset });
      const { page, close } = await openPage(browser, `${server.url}/ui/${db}${path}`, { width });
      await page.locator("main h1").first().waitFor({ state: "attached" });
      await does(page, hand, memory);
      await close();
    },
    90_000,
  );
});
