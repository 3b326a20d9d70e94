import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SCREEN = "/ui/default/recall?q=why%20were%20customers%20charged%20twice%3F";

/** Captures one screen of the page with the example memory, in both themes. */
export async function photographPage(root: string, fileOf: (theme: string) => string) {
  const path = mkdtempSync(join(tmpdir(), "cairn-page-"));
  const env = { PATH: process.env.PATH, HOME: path, CAIRN_DAEMON: "off", TZ: "UTC" };
  const program = join(root, "bin/cairn.js");
  execFileSync(
    process.execPath,
    [program, "apply", join(root, "examples/first-memory.changeset")],
    {
      cwd: path,
      env,
    },
  );
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], { cwd: path, env });
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  try {
    const [line] = await once(createInterface({ input: server.stderr }), "line");
    const address = /http:\S+/.exec(String(line))?.[0];
    if (address === undefined) throw new Error(`The server did not start: ${String(line)}`);
    for (const theme of ["light", "dark"] as const) {
      const viewport = { width: 1200, height: 760 };
      const page = await browser.newPage({ viewport, colorScheme: theme });
      await page.goto(`${address}${SCREEN}`);
      await page.getByText("of 6,000 characters").first().waitFor();
      await page.screenshot({ path: fileOf(theme) });
      await page.close();
    }
  } finally {
    await browser.close();
    server.kill();
    await once(server, "exit");
    rmSync(path, { recursive: true, force: true });
  }
}
