import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { startMemoryServer } from "../../src/app/start-memory-server.ts";
import { httpSettings } from "../../src/http/index.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { createOperations, MemoryStore } from "../../src/memory/index.ts";
import { layOut } from "../../src/web/map/graph-layout.ts";

/**
 * What the page of `cairn serve` costs in a real browser: sizes, time until it can be used, from a
 * key to the filtered list, opening an item, scrolling, a feed under load, the layout of a map.
 *
 *   npm run build && npx tsx bench/web/measure-page.ts [--episodes 100000] [--browser /usr/bin/chromium]
 */
const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "100000" },
    browser: { type: "string", default: "/usr/bin/chromium" },
    folder: { type: "string" },
  },
});

interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly most: number;
  readonly unit: string;
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), "cairn-bench-web-"));
const store = new MemoryStore({
  dataDir: folder,
  defaultDatabase: "default",
  operations: createOperations(),
  embedder: undefined,
  logger: silentLogger,
  episodeTypes: [],
});
const figures: Figure[] = sizes();
await fill(Number(values.episodes));
const server = await startMemoryServer({
  store,
  settings: httpSettings.parse({ port: 0 }),
  version: "0.0.0",
  logger: silentLogger,
  announce: () => undefined,
});
const browser = await chromium.launch({
  executablePath: values.browser,
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});
try {
  figures.push(...(await inBrowser(browser)), layoutTime());
} finally {
  await browser.close();
  await server.close(0);
  await store.close();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
for (const { what, measured, most, unit } of figures) {
  const verdict = measured <= most ? "ok  " : "OVER";
  console.log(
    `${verdict} ${what.padEnd(52)} ${measured.toFixed(1).padStart(9)} ${unit} (at most ${most})`,
  );
}
process.exitCode = figures.every(({ measured, most }) => measured <= most) ? 0 : 1;

function sizes(): Figure[] {
  const built = "dist/ui";
  const gzipped = (name: string) =>
    gzipSync(readFileSync(join(built, name)), { level: 9 }).length / 1000;
  const index = readFileSync(join(built, "index.html"), "utf8");
  const [page = ""] = /page-\w+\.js/.exec(index) ?? [];
  const [style = ""] = /style-\w+\.css/.exec(index) ?? [];
  const initial = [...statics(page, new Set())].reduce((sum, name) => sum + gzipped(name), 0);
  const map = readdirSync(built).filter((name) =>
    /^(map-screen|layout\.worker)-\w+\.js$/.test(name),
  );
  return [
    { what: "initial JavaScript, gzipped", measured: initial, most: 45, unit: "kB" },
    { what: "styles, gzipped", measured: gzipped(style), most: 10, unit: "kB" },
    {
      what: "map, gzipped",
      measured: map.reduce((sum, name) => sum + gzipped(name), 0),
      most: 50,
      unit: "kB",
    },
  ];
}

/** A script and those that it imports before it runs. */
function statics(name: string, known: Set<string>): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const source = readFileSync(join("dist/ui", name), "utf8");
  for (const [, other = ""] of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    statics(other, known);
  return known;
}

async function fill(episodes: number): Promise<void> {
  const memory = store.open();
  const known = memory.exists ? (await memory.execute("stats", {})).episodes.total : 0;
  const subjects = ["cache", "deploy", "queue", "login", "invoice", "search", "backup", "schema"];
  for (let from = known; from < episodes; from += 5_000) {
    const ops = Array.from({ length: Math.min(5_000, episodes - from) }, (_, at) => {
      const n = from + at;
      const subject = subjects[n % subjects.length];
      return {
        op: "remember",
        content: `The ${subject} of service ${n % 200} was changed for the ${n}th time because of ${subjects[(n * 7) % 8]}.`,
        entities: `module:m${n % 300},project:p${n % 12}`,
        asserted_by: `author${n % 9}`,
        episode_type: n % 5 === 0 ? "decision" : "observation",
      };
    });
    await memory.execute("apply", { changeset: JSON.stringify(ops) });
  }
}

async function inBrowser(started: Browser): Promise<Figure[]> {
  const page = await started.newPage({ viewport: { width: 1280, height: 800 } });
  const find = `${server.url}/ui/default/find`;
  const starts: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    await page.goto(find);
    await page.getByRole("row").first().waitFor();
    starts.push(performance.now() - begun);
  }
  return [
    {
      what: "usable on loopback, median of 5",
      measured: quantile(starts, 0.5),
      most: 700,
      unit: "ms",
    },
    {
      what: "from a key to the filtered list, p95",
      measured: quantile(await typing(page), 0.95),
      most: 100,
      unit: "ms",
    },
    {
      what: "opening an item, p95",
      measured: quantile(await opening(page), 0.95),
      most: 100,
      unit: "ms",
    },
    ...(await scrolling(page)),
    ...(await feeding(page)),
  ];
}

/** Runs in the page: the time from an event to the paint after the answer. */
async function typing(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const text of ["c", "ca", "cac", "d", "de", "dep", "q", "qu", "inv", "invo"]) {
    const time = await page.evaluate(async (typed) => {
      const field = document.querySelector<HTMLInputElement>("input[type=search]");
      const list = document.querySelector(".list-space");
      if (field === null || list === null) throw new Error("no list");
      const begun = performance.now();
      const changed = new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(document.querySelector(".results") ?? list, {
          subtree: true,
          childList: true,
          characterData: true,
        });
      });
      field.value = typed;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await changed;
      return performance.now() - begun;
    }, text);
    times.push(time);
    await page.waitForTimeout(150);
  }
  await page.getByRole("searchbox").fill("");
  await page.waitForTimeout(500);
  return times;
}

async function opening(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let row = 1; row <= 12; row += 1) {
    const time = await page.evaluate(async (index) => {
      const cell = document.querySelector<HTMLElement>(`#row-${index} .cell-main`);
      if (cell === null) throw new Error("no row");
      const wanted = cell.querySelector(".row-text")?.textContent?.slice(0, 60) ?? "";
      const begun = performance.now();
      cell.click();
      for (;;) {
        if (document.querySelector(".panel .text")?.textContent?.startsWith(wanted)) break;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return performance.now() - begun;
    }, row);
    times.push(time);
  }
  await page.keyboard.press("Escape");
  return times;
}

async function scrolling(page: Page): Promise<Figure[]> {
  const found = await page.evaluate(async () => {
    const list = document.querySelector<HTMLElement>(".list");
    if (list === null) throw new Error("no list");
    const costs: number[] = [];
    let most = 0;
    for (let frame = 0; frame < 120; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const begun = performance.now();
      list.scrollTop += 130;
      list.dispatchEvent(new Event("scroll"));
      await Promise.resolve();
      await Promise.resolve();
      costs.push(performance.now() - begun);
      most = Math.max(most, document.querySelectorAll(".row").length);
    }
    return { costs, most };
  });
  return [
    {
      what: "script of a scrolled frame, p95",
      measured: quantile(found.costs, 0.95),
      most: 8,
      unit: "ms",
    },
    { what: "rows in the document while scrolling", measured: found.most, most: 60, unit: "rows" },
  ];
}

/** A hundred events a second for five seconds, while keys are pressed; then many more. */
async function feeding(page: Page): Promise<Figure[]> {
  await page.goto(`${server.url}/ui/default/feed`);
  await page.locator(".change-row").first().waitFor();
  const memory = store.open();
  let pressed = 0;
  for (let second = 0; second < 5; second += 1) {
    const ops = Array.from({ length: 10 }, (_, n) => `remember "Event ${second} ${n}"`).join("\n");
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await memory.execute("apply", { changeset: ops });
      await page.keyboard.press("?");
      await page.locator("dialog[open]").waitFor();
      pressed += 1;
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
    }
  }
  const many = Array.from({ length: 5_000 }, (_, n) => `remember "Flood ${n}"`).join("\n");
  for (let round = 0; round < 20; round += 1) await memory.execute("apply", { changeset: many });
  await page.waitForTimeout(3_000);
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  );
  return [
    {
      what: "keys lost in a feed of 100 events a second",
      measured: 50 - pressed,
      most: 0,
      unit: "keys",
    },
    { what: "heap after 100 000 further events", measured: heap / 1e6, most: 80, unit: "MB" },
  ];
}

function layoutTime(): Figure {
  const nodes = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n) }));
  const edges = Array.from({ length: 10_000 }, (_, n) => ({
    source: n % 5_000,
    target: (n * 7_919 + 13) % 5_000,
  }));
  const begun = performance.now();
  layOut(nodes, edges);
  const measured = performance.now() - begun;
  return {
    what: "layout of 5 000 nodes, as the worker does it",
    measured,
    most: 3_000,
    unit: "ms",
  };
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
