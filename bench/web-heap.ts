/**
 * Heap growth of the page after an hour of 50 events per second: the same number of events as fast
 * as the page processes them, with Feed, Find and Home open in a real Chromium. Periodically the
 * writer waits until the feed shows the newest event.
 *
 *   npx tsx bench/web-heap.ts [events]
 */
import { type Browser, chromium, type Page } from "playwright-core";
import { serveMemory } from "../test/support/memory-server.ts";
import { printTable } from "./support/print-table.ts";

const EVENTS = Number(process.argv[2] ?? 180_000);
const EVENTS_PER_CHANGE = 50;
/** Number of changes after which the writer waits for the page. */
const STEP = 20;
const SCREENS = ["feed", "find", ""] as const;

const server = await serveMemory();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});
try {
  const shop = server.store.open("shop");
  await shop.execute("remember", { content: "The first." });
  const pages = await Promise.all(SCREENS.map((path) => openScreen(browser, path)));
  const [feed] = pages;
  if (feed === undefined) throw new Error("No screen was opened.");
  const rows: string[][] = [await measureRow("0", pages)];
  const changes = Math.ceil(EVENTS / EVENTS_PER_CHANGE);
  const start = performance.now();
  for (let done = 1; done <= changes; done += 1) {
    const ops = Array.from(
      { length: EVENTS_PER_CHANGE },
      (_unused, n) => `remember "Number ${done}, ${n}: the gateway waits for ${n} seconds."`,
    );
    await shop.execute("apply", { changeset: ops.join("\n") });
    if (done % STEP === 0 || done === changes) {
      await feed
        .locator(`a[href*="change%3A${done + 1}"], [id*="change:${done + 1}"]`)
        .first()
        .waitFor({ state: "attached", timeout: 60_000 });
    }
    if (done % Math.ceil(changes / 10) === 0) {
      rows.push(await measureRow((done * EVENTS_PER_CHANGE).toLocaleString("en"), pages));
      process.stderr.write(`${rows.at(-1)?.join(" | ")}\n`);
    }
  }
  const seconds = (performance.now() - start) / 1_000;
  rows.push(await measureRow("at the end", pages));
  printTable(["events", ...SCREENS.map((path) => `${path || "home"}: MB, nodes`)], rows);
  console.log(`${Math.round((changes * EVENTS_PER_CHANGE) / seconds)} events per second`);
} finally {
  await browser.close();
  await server.end();
}

/** Opens each screen in its own context, so that each has its own heap. */
async function openScreen(from: Browser, path: string): Promise<Page> {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/ui/shop/${path}`);
  await page.getByText("The first.").first().waitFor();
  return page;
}

async function measureRow(events: string, pages: readonly Page[]): Promise<string[]> {
  const cells = [];
  for (const page of pages) {
    await page.requestGC();
    const [bytes, nodes] = (await page.evaluate(
      "[performance.memory.usedJSHeapSize, document.querySelectorAll('*').length]",
    )) as [number, number];
    cells.push(`${(bytes / 1_000_000).toFixed(1)}, ${nodes}`);
  }
  return [events, ...cells];
}
