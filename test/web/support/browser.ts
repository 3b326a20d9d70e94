import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Undefined if no browser is found; page tests are skipped then. */
export const browserPath = BROWSERS.find((path) => existsSync(path));

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** Uncaught exceptions and violations of the content security policy. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  address: string,
  options: { width?: number; height?: number; theme?: "light" | "dark" } = {},
): Promise<OpenedPage> {
  const { width = 1280, height = 800, theme = "light" } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) problems.push(message.text());
  });
  await page.goto(address);
  const close = async () => {
    await context.close();
    expect(problems).toEqual([]);
  };
  return { page, problems, close };
}

/** Presses a shortcut key. Letters are ignored for a second after a change of the screen. */
export async function pressShortcut(page: Page, key: string): Promise<void> {
  await waitFixedTime(1_100, "prompt ignores early keys");
  await page.keyboard.press(key);
}
