// @module-tag long: sessions in a terminal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();
const LIGHT_ROW = "\x1b[48;5;194m";
const DARK_ROW = "\x1b[48;5;22m";
const white = { background: "rgb:ffff/ffff/ffff" };
const rich = { hasManyColors: true };

async function showDiff(input: object, kind = {}) {
  writeFileSync(join(stage.project, "a.txt"), "one\n");
  const args = { path: "a.txt", content: "two\n", overwrite: true };
  stage.model.script(
    { toolCalls: [{ name: "read", args: { path: "a.txt" } }] },
    { toolCalls: [{ name: "write", args }] },
    { text: "Changed." },
  );
  const terminal = stage.start(input, kind);
  await terminal.waitFor("scripted");
  await terminal.settle();
  terminal.type("go\r");
  await terminal.waitFor("Changed.");
  await terminal.waitForGone("Working");
  return terminal;
}

it("queries the terminal's background without showing the response", async () => {
  const terminal = await showDiff({ options: rich }, white);
  expect(terminal.raw).toContain(LIGHT_ROW);
  expect(terminal.all).not.toMatch(/rgb|ffff/);
});

it("defaults to dark", async () => {
  const terminal = await showDiff({ options: rich });
  expect(terminal.raw).toContain(DARK_ROW);
});

it("prefers the configured theme, and /theme changes it", async () => {
  const terminal = await showDiff({ options: rich, theme: "dark" }, white);
  expect(terminal.raw).toContain(DARK_ROW);
  expect(terminal.raw).not.toContain(LIGHT_ROW);
  terminal.type("/theme\r");
  await terminal.waitFor("The theme is dark.");
  terminal.type("/theme light\r");
  await terminal.waitFor("The theme is light");
  expect(terminal.raw).toContain(LIGHT_ROW);
  terminal.type("/theme auto\r");
  await terminal.waitFor("The theme is auto");
  terminal.type("/theme\r");
  await terminal.waitFor("The theme is auto (light).");
  terminal.type("/theme pink\r");
  await terminal.waitFor('"pink" is not a theme: auto, dark, light.');
});

it("has no colors with NO_COLOR and explains why", async () => {
  const terminal = await showDiff({ options: rich, noColor: true }, white);
  expect(terminal.raw).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-7]|38;5;\d+|90)m/);
  expect(terminal.raw).not.toContain("]11;?");
  terminal.type("/theme light\r");
  await terminal.waitFor("The theme is light");
  terminal.type("/theme\r");
  await terminal.waitFor("NO_COLOR is set");
  expect(terminal.raw).not.toContain(LIGHT_ROW);
});
