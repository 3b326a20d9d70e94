/**
 * The agent on the page in a real Chromium: size of its code and cost of a long stream. A scripted
 * model streams 10,000 short words, then makes 500 tool calls. Server, agent and page are those of
 * `cairn ui`.
 *
 *   npx tsx bench/web-agent.ts [words] [calls]
 *
 * Frame times during the stream are in milliseconds: wall-clock time, which includes other load on
 * the machine, and CPU time of the page's main thread.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startAgentPage } from "../test/web/support/agent-page.ts";
import { loadedBytes } from "../test/web/support/loaded-bytes.ts";
import { launchMeasuredBrowser, openMeasuredPage } from "./support/measured-browser.ts";
import { printTable } from "./support/print-table.ts";
import { measureCpuPerFrame } from "./support/processor-per-frame.ts";

const WORDS = Number(process.argv[2] ?? 10_000);
const CALLS = Number(process.argv[3] ?? 500);
const CALLS_PER_STEP = 20;

const server = await startAgentPage({ mode: "auto" });
const browser = await launchMeasuredBrowser();
try {
  writeFileSync(join(server.projectRoot, "pay.ts"), "export const retries = 3;\n".repeat(40));
  const page = await openMeasuredPage(browser);
  const loaded = await loadedBytes(page, server.address("default/agent"), () =>
    page.getByRole("button", { name: "New thread" }).waitFor(),
  );
  const first = await readHeap(page);
  const words = Array.from({ length: WORDS }, (_unused, n) =>
    n % 12 === 11 ? "word\n\n" : "word ",
  );
  server.model.script({ text: [...words, "\n\nThe end."] });
  const streaming = await recordFrames(page, "Say ten thousand words", "The end.");
  const stepsOfCalls = Array.from({ length: CALLS / CALLS_PER_STEP }, (_unused, step) => ({
    toolCalls: Array.from({ length: CALLS_PER_STEP }, (_none, n) => ({
      name: "read",
      args: { path: "pay.ts", offset: 1 + (n % 40), limit: 1 + step },
    })),
  }));
  server.model.script(...stepsOfCalls, { text: "All read." });
  const calling = await recordFrames(page, "Read it again and again", "All read.");
  printTable(
    ["what", "budget", "measured"],
    [
      ["first use over the wire, kB", "75", (loaded / 1_000).toFixed(1)],
      ...rowsOf(`${WORDS} words`, streaming),
      ...rowsOf(`${CALLS} calls`, calling),
      ["heap before / after, MB", "- / 60", `${first} / ${await readHeap(page)}`],
    ],
  );
} finally {
  await browser.close();
  await server.end();
}

interface Frames {
  /** Wall-clock time between two frames. */
  readonly between: string;
  readonly script: string;
  readonly all: string;
}

function rowsOf(what: string, { between, script, all }: Frames): string[][] {
  return [
    [`${what}: script a frame p50 / p95 / longest, ms`, "- / 50 / -", script],
    [`${what}: script, style, layout, painting a frame, ms`, "-", all],
    [`${what}: frame by the wall clock, ms`, "-", between],
  ];
}

/** Records frames until the text `end` appears. */
async function recordFrames(page: Page, message: string, end: string): Promise<Frames> {
  await page.evaluate(`(() => {
    window.frames = [];
    window.isMeasured = true;
    let last = performance.now();
    const step = (now) => {
      window.frames.push(now - last);
      last = now;
      if (window.isMeasured) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })()`);
  const costs = await measureCpuPerFrame(browser, page, async () => {
    await page.getByLabel("Message to the agent").fill(message);
    await page.getByLabel("Message to the agent").press("Enter");
    await page.getByText(end).waitFor({ timeout: 180_000 });
  });
  const frames = (await page.evaluate("window.isMeasured = false, window.frames")) as number[];
  return {
    between: shares(frames, 0),
    script: shares(
      costs.map(({ script }) => script),
      1,
    ),
    all: shares(
      costs.map(({ all }) => all),
      1,
    ),
  };
}

function shares(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(digits);
  return `${at(0.5)} / ${at(0.95)} / ${at(1)}`;
}

async function readHeap(page: Page): Promise<string> {
  await page.requestGC();
  const bytes = (await page.evaluate("performance.memory.usedJSHeapSize")) as number;
  return (bytes / 1_000_000).toFixed(1);
}
