import { expect, it } from "vitest";
import { drawStatus } from "../../../src/terminal/live/draw-live.ts";

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

it("shows mode and sandbox at every width", () => {
  for (const width of [40, 60, 80, 120]) {
    const output = textOf("off (not installed: bwrap, socat)", width);
    expect(output).toContain("ask · no sandbox");
    expect(output.length).toBeLessThanOrEqual(width);
    expect(textOf("bubblewrap", width)).toContain("ask · bubblewrap");
  }
  expect(textOf("bubblewrap", 120)).toContain("memory project-of-mine · ~/work");
});

it.each([
  [{ contextUsed: 0.12 }, "context 12%"],
  [{ contextUsed: 0.12, isWindowAssumed: true }, "context ~12%"],
  [{ cost: 0 }, "a-model-of-today · ask · context 12% · ↑12.3k"],
  [{ cost: 0.0001 }, "context 12% · <$0.001"],
  [{ cost: 0.0421 }, "context 12% · $0.042"],
  [{ cost: 1.239, branch: "main" }, "context 12% · $1.24 · main · ↑12.3k"],
])("shows %j as %s", (change, output) => {
  const line = drawStatus({ ...status, ...change }, 120);
  expect(line.map(({ text }) => text).join("")).toContain(output);
});
