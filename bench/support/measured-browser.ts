import { type Browser, chromium, type Page } from "playwright-core";

/** A browser that tells how much memory a page takes. */
export function measuredBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
  });
}

/** A tab of its own profile. */
export async function measuredPage(
  browser: Browser,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const context = await browser.newContext({ viewport });
  return context.newPage();
}
