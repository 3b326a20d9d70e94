import { type Browser, chromium, type Page } from "playwright-core";

/** Launches a browser that exposes precise memory figures of a page. */
export function launchMeasuredBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
  });
}

/** Opens a page in its own browser context. */
export async function openMeasuredPage(
  browser: Browser,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const context = await browser.newContext({ viewport });
  return context.newPage();
}
