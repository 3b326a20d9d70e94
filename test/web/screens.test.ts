// @module-tag long: a browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../support/memory-server.ts";
import { violations } from "./support/axe.ts";
import { browserPath, openPage, startBrowser } from "./support/browser.ts";
import { SHOP } from "./support/shop.ts";

describe.skipIf(browserPath === undefined)("the screens", () => {
  let server: MemoryServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await serveMemory();
    const shop = server.store.open("shop");
    await shop.execute("apply", { changeset: SHOP });
    const about = "episode_type=fact entities=tool:node,project:shop";
    await shop.execute("apply", {
      changeset: `remember "shop is built on Node 20." ${about}\nremember "shop is built on Node 22." ${about}`,
    });
    await shop.execute("propose", {
      content: "Retries carry a key.",
      quotation: "Give each retry a key.",
      reason: "Nobody said so twice.",
    });
    for (const name of ["tool:Git Hub", "tool:git-hub"]) {
      await shop.execute("entity_relation", { source: name, target: "tool:x", relation: "uses" });
    }
    await shop.execute("remember", { content: "Not wanted." });
    await shop.execute("delete", { id: "ep:9" });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const SCREENS: readonly [path: string, sign: string][] = [
    ["", "Top concepts"],
    ["/find?sel=ep%3A3", "A retry after a timeout charged 14 customers twice."],
    ["/item/ep%3A2?tab=facts", "holds from 2026-04-02"],
    ["/item/file%3Asrc%2Fpayments%2Fgateway.ts", "2 episodes"],
    ["/recall?q=why%20were%20customers%20charged%20twice&why=ep%3A6", "of 6,000 characters"],
    ["/recall?q=customers&until=2020", "No results."],
    ["/inbox", "The file says 30 s"],
    ["/inbox?part=collisions", "Do these facts contradict each other?"],
    ["/inbox?part=proposals", "Nobody said so twice."],
    ["/inbox?part=pending", "Concept title"],
    ["/recalls", "Results that each session received"],
    ["/inbox?part=conflicts", "The file says 30 s"],
    ["/find?as_of=2026-03-20", "As of 2026-03-20"],
    ["/map?center=tool%3Agateway&sel=tool%3Agateway", "3 connected"],
    ["/map?center=tool%3Agateway&view=table", "Connections"],
    ["/feed", "more by apply"],
    ["/topics", "area=billing"],
    ["/databases", "8 episodes"],
    ["/bin", "Not wanted."],
    ["/tokens", "No tokens yet."],
    ["/nonsense", "Page not found"],
  ];

  // 320 pixels equal 1280 at 400 % zoom.
  it.each([
    ["light", 1280, 800],
    ["dark", 320, 640],
  ] as const)(
    "pass the accessibility rules and do not scroll sideways in %s at %i × %i",
    async (theme, width, height) => {
      const options = { theme, width, height };
      const { page, close } = await openPage(browser, `${server.url}/ui/shop`, options);
      for (const [path, sign] of SCREENS) {
        await page.goto(`${server.url}/ui/shop${path}`);
        await page.getByText(sign).filter({ visible: true }).first().waitFor();
        expect([path, await violations(page, theme)]).toEqual([path, []]);
        const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
        expect([path, scrollWidth]).toEqual([path, width]);
      }
      await close();
    },
    360_000,
  );
});
