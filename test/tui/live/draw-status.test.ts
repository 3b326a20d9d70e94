import { expect, it } from "vitest";
import { drawStatus } from "../../../src/tui/live/draw-status.ts";

const status = {
  state: "ready",
  model: "a-model-of-today",
  inputTokens: 12_300,
  outputTokens: 450,
  contextUsed: 0.12,
  database: "project-of-mine",
  cwd: "~/work/a/folder/far/down",
  permissionMode: "ask",
} as const;

const textOf = (sandbox: string, width: number) =>
  drawStatus({ ...status, sandbox }, width)
    .map(({ text }) => text)
    .join("");

it("says the mode and what confines in every width that a terminal has", () => {
  for (const width of [40, 60, 80, 120]) {
    const shown = textOf("off (not installed: bwrap, socat)", width);
    expect(shown).toContain("ask · no sandbox");
    expect(shown.length).toBeLessThanOrEqual(width);
    expect(textOf("bubblewrap", width)).toContain("ask · bubblewrap");
  }
  expect(textOf("bubblewrap", 120)).toContain("memory project-of-mine · ~/work");
});
