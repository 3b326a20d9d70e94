/**
 * The page of `cairn serve` in a real Chromium, on one filled database: sizes of the loaded assets
 * and response times. The server is the built command's own code in this process.
 *
 *   npx tsx bench/web.ts [episodes] [rounds]
 *
 * Times are measured in the page, in milliseconds. On a busy machine they are upper bounds.
 */
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { serveMemory } from "../test/support/memory-server.ts";
import { launchMeasuredBrowser, openMeasuredPage } from "./support/measured-browser.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";

const EPISODES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 20);
const BATCH = 1_000;
/** Words that occur in the texts, typed key by key. */
const QUERIES = ["queue", "index", "cache", "token"];

const texts = syntheticText(7);
const server = await serveMemory();
const browser = await launchMeasuredBrowser();
try {
  await fill();
  const page = await openMeasuredPage(browser);
  printTable(
    ["metric", "budget", "p50", "p95"],
    [
      ...(await measureSizes(page)),
      ...(await measureStart(page)),
      ...(await measureTyping(page)),
      ...(await measureOpening(page)),
      ...(await measureScrolling(page)),
    ],
  );
} finally {
  await browser.close();
  await server.end();
}

async function fill(): Promise<void> {
  const memory = server.store.open("default");
  for (let first = 0; first < EPISODES; first += BATCH) {
    const count = Math.min(BATCH, EPISODES - first);
    const lines = Array.from({ length: count }, (_unused, n) => {
      const number = first + n;
      const type = ["observation", "decision", "question", "outcome"][number % 4];
      return `remember t=${type} e=tool:S${number % 300} labels=area=a${number % 40} ${JSON.stringify(`${QUERIES[number % QUERIES.length]} ${texts.sentence(20)}`)}`;
    });
    await memory.execute("apply", { changeset: lines.join("\n") });
    if (process.stderr.isTTY) process.stderr.write(`\rfilled ${first + count} of ${EPISODES}`);
  }
  if (process.stderr.isTTY) process.stderr.write("\n");
}

/** Measures the gzip size of what the first screen loads, in kB. */
async function measureSizes(page: Page): Promise<string[][]> {
  const sizes = { js: 0, css: 0 };
  const pending: Promise<void>[] = [];
  const add = async (kind: keyof typeof sizes, body: Promise<Buffer>) => {
    sizes[kind] += gzipSync(await body).length / 1_000;
  };
  page.on("response", (response) => {
    const path = new URL(response.url()).pathname;
    if (path.endsWith(".js")) pending.push(add("js", response.body()));
    if (path.endsWith(".css")) pending.push(add("css", response.body()));
  });
  await page.goto(`${server.url}/ui/default/find`);
  await page.getByRole("row").first().waitFor();
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await Promise.all(pending);
  page.removeAllListeners("response");
  return [
    ["Find: JavaScript, kB gzip", "45", sizes.js.toFixed(1), ""],
    ["CSS, kB gzip", "10", sizes.css.toFixed(1), ""],
  ];
}

/** Measures from navigation to the first row that can be opened. */
async function measureStart(page: Page): Promise<string[][]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await page.goto(`${server.url}/ui/default/find?round=${round}`);
    await page.getByRole("row").first().waitFor();
    times.push(performance.now() - start);
  }
  return [["first usable row, ms", "700", ...quantiles(times)]];
}

/** Measures from a key press to the list drawn for the new text. */
async function measureTyping(page: Page): Promise<string[][]> {
  const times: number[] = [];
  await page.goto(`${server.url}/ui/default/find`);
  const box = page.getByRole("searchbox");
  await page.getByRole("row").first().waitFor();
  for (let round = 0; round < ROUNDS; round += 1) {
    const word = QUERIES[round % QUERIES.length] ?? "queue";
    await box.fill("");
    await page.waitForTimeout(400);
    await box.pressSequentially(word.slice(0, -1), { delay: 300 });
    await page.waitForTimeout(400);
    times.push(await measureUntilDrawn(page, () => box.press(word.slice(-1))));
  }
  return [["key press to filtered list, ms", "100", ...quantiles(times)]];
}

async function measureOpening(page: Page): Promise<string[][]> {
  const times: number[] = [];
  await page.goto(`${server.url}/ui/default/find`);
  await page.getByRole("row").nth(5).waitFor();
  for (let round = 0; round < ROUNDS; round += 1) {
    const row = page.getByRole("row").nth(1 + (round % 5));
    times.push(await measureUntilDrawn(page, () => row.click()));
    await page.waitForTimeout(200);
  }
  return [["open an item", "100", ...quantiles(times)]];
}

/** Measures the rows in the page and the longest frame while it scrolls. */
async function measureScrolling(page: Page): Promise<string[][]> {
  await page.goto(`${server.url}/ui/default/find`);
  await page.getByRole("row").first().waitFor();
  const frames: number[] = [];
  let rows = 0;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await page.getByRole("row").nth(3).hover();
  for (let step = 0; step < 40; step += 1) {
    const before = await readScriptSeconds(devtools);
    await page.mouse.wheel(0, 600);
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    frames.push(((await readScriptSeconds(devtools)) - before) * 1_000);
    rows = Math.max(rows, await page.getByRole("row").count());
  }
  return [
    ["script for one scroll step", "8", ...quantiles(frames)],
    ["lines in the page at most", "60", String(rows), ""],
  ];
}

async function readScriptSeconds(devtools: {
  send(method: "Performance.getMetrics"): Promise<{ metrics: { name: string; value: number }[] }>;
}): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN;
}

/**
 * Measures from an action to the last DOM change that it caused; ends after 150 ms without a
 * change.
 */
async function measureUntilDrawn(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`(() => {
    window.benchChange = undefined;
    window.benchObserver?.disconnect();
    window.benchObserver = new MutationObserver(() => { window.benchChange = performance.now(); });
    window.benchObserver.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    const begin = () => { window.benchStart ??= performance.now(); };
    window.benchStart = undefined;
    for (const kind of ["keydown", "pointerdown"]) window.addEventListener(kind, begin, { capture: true, once: true });
  })()`);
  await act();
  return page.evaluate(`(async () => {
    for (;;) {
      const last = window.benchChange;
      await new Promise((done) => setTimeout(done, 150));
      if (last !== undefined && last === window.benchChange) return last - window.benchStart;
    }
  })()`);
}

function quantiles(times: readonly number[]): [p50: string, p95: string] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return [(at(0.5) ?? Number.NaN).toFixed(1), (at(0.95) ?? Number.NaN).toFixed(1)];
}
