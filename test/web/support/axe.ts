import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Both themes have the same markup, so dark mode is checked for contrast only. */
const RULES = {
  light: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  dark: { type: "rule", values: ["color-contrast"] },
};

/** axe is injected through the debugger, which bypasses the page's content security policy. */
export async function violations(page: Page, theme: keyof typeof RULES): Promise<unknown[]> {
  await page.evaluate(await readFile(AXE, "utf8"));
  return page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES[theme])} })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html + " " + failureSummary).join(" | ")))`);
}
