import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHarness } from "../support/thread-harness.ts";

it("/init writes only AGENTS.md if no user can be prompted", async () => {
  const write = (path: string) => ({
    toolCalls: [{ name: "write", args: { path, content: "# Project\n" } }],
  });
  const harness = await startHarness({
    answers: [write("AGENTS.md"), write(".github/workflows/x.yml"), { text: "Done." }],
    settings: { permission: { mode: "ask", rules: [] } },
  });
  onTestFinished(() => harness.close());
  await harness.say("/init");
  const { projectRoot } = harness.options;
  expect(existsSync(join(projectRoot, "AGENTS.md"))).toBe(true);
  expect(existsSync(join(projectRoot, ".github/workflows/x.yml"))).toBe(false);
});
