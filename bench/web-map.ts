/**
 * The map in a real Chromium: layout, drag and zoom with thousands of nodes.
 *
 *   npx tsx bench/web-map.ts [nodes] [picture.png]
 *
 * Frame times during drag and zoom are in milliseconds, without a GPU. On a busy machine they are
 * upper bounds.
 */
import type { Page } from "playwright-core";
import { serveMemory } from "../test/support/memory-server.ts";
import { launchMeasuredBrowser, openMeasuredPage } from "./support/measured-browser.ts";
import { printTable } from "./support/print-table.ts";

const NODES = Number(process.argv[2] ?? 5_000);
const PICTURE = process.argv[3];
/**
 * Entities are related to each other and mentioned by episodes, more of them than the map draws.
 */
const ENTITIES = Math.round(NODES * 0.9);

const server = await serveMemory();
const browser = await launchMeasuredBrowser();
try {
  await fill();
  const page = await openMeasuredPage(browser, { width: 1440, height: 900 });
  const started = performance.now();
  await page.goto(`${server.url}/ui/large/map?nodes=5000&depth=4&small=show`);
  await page.locator(".map-label").first().waitFor({ timeout: 120_000 });
  const seen = performance.now() - started;
  const shown = await page.getByText(" shown").first().textContent();
  if (PICTURE !== undefined) await page.screenshot({ path: PICTURE });
  const profile = await page.context().newCDPSession(page);
  await profile.send("Performance.enable");
  const costs = async () => {
    const { metrics } = await profile.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    return {
      script: of("ScriptDuration"),
      style: of("RecalcStyleDuration") + of("LayoutDuration"),
    };
  };
  const dragging = await measureFrames(page, async () => {
    // An empty point, not on a label.
    await page.mouse.move(300, 220);
    await page.mouse.down();
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.move(300 + 8 * step, 220 + Math.round(40 * Math.sin(step / 6)));
    }
    await page.mouse.up();
  });
  const before = await costs();
  const zooming = await measureFrames(page, async () => {
    for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, step < 25 ? -80 : 90);
  });
  const after = await costs();
  const perFrame = (sum: number) => ((sum * 1_000) / 40).toFixed(1);
  await page.requestGC();
  const heap = (await page.evaluate("performance.memory.usedJSHeapSize")) as number;
  printTable(
    ["metric", "budget", "measured"],
    [
      ["nodes", String(NODES), (shown ?? "").trim()],
      ["navigation to first drawing, s", "-", (seen / 1_000).toFixed(1)],
      ["drag: frame p50 / p95 / max, ms", "- / 50 / -", dragging],
      ["zoom: frame p50 / p95 / max, ms", "- / 50 / -", zooming],
      [
        "zoom: script / style and layout per frame, ms",
        "-",
        `${perFrame(after.script - before.script)} / ${perFrame(after.style - before.style)}`,
      ],
      ["heap, MB", "60", (heap / 1_000_000).toFixed(1)],
    ],
  );
} finally {
  await browser.close();
  await server.end();
}

async function fill(): Promise<void> {
  const memory = server.store.open("large");
  const ops: object[] = [];
  for (let n = 0; n < NODES; n += 1) {
    ops.push({
      op: "remember",
      content: `Release ${n} of service ${n % 97} went out after review ${n % 13}.`,
      entities: [`module:s${n % ENTITIES}`, `module:s${(n * 7) % ENTITIES}`],
    });
  }
  for (let n = 1; n < ENTITIES; n += 1) {
    ops.push({
      op: "entity_relation",
      source: `module:s${n}`,
      target: `module:s${Math.floor(n / 5)}`,
      relation: "depends_on",
    });
  }
  for (let at = 0; at < ops.length; at += 1_000) {
    const changeset = JSON.stringify(ops.slice(at, at + 1_000));
    await memory.execute("apply", { changeset });
  }
}

/** Measures frame times while `act` runs. */
async function measureFrames(page: Page, act: () => Promise<void>): Promise<string> {
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
  await act();
  const frames = (await page.evaluate("window.isMeasured = false, window.frames")) as number[];
  frames.sort((a, b) => a - b);
  const at = (share: number) => (frames[Math.floor(share * (frames.length - 1))] ?? 0).toFixed(0);
  return `${at(0.5)} / ${at(0.95)} / ${at(1)}`;
}
