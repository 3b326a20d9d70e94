import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { bundleEntry } from "./support/bundle-entry.ts";
import { Terminal } from "./support/terminal.ts";

let script = "";
let model: ScriptedModel;
let project = "";
let dataDir = "";
const open: Terminal[] = [];

beforeAll(async () => {
  script = await bundleEntry("test/tui/support/terminal-entry.ts");
}, 60_000);

beforeEach(async () => {
  model = await startScriptedModel();
  project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  dataDir = mkdtempSync(join(tmpdir(), "cairn-data-"));
});

afterEach(async () => {
  for (const terminal of open.splice(0)) terminal.kill();
  await model.close();
});

function start(given: object = {}, size: { columns?: number; rows?: number } = {}): Terminal {
  const settings = { dataDir, baseUrl: model.baseUrl, ...given };
  const env = { CAIRN_TEST: JSON.stringify(settings) };
  const terminal = new Terminal({ script, cwd: project, env, ...size });
  open.push(terminal);
  return terminal;
}

const screenshot = (name: string) => `./__screens__/${name}.txt`;

describe("the terminal", () => {
  it("starts, streams an answer, and leaves with Ctrl-D", async () => {
    model.script({ text: ["# Hello\n\n", "I am **here**.\n\n", "- one\n- two\n"] });
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("hi there\r");
    await terminal.waitFor("- two");
    await terminal.waitForGone("Working");
    await terminal.settle();
    await expect(terminal.screen).toMatchFileSnapshot(screenshot("answer"));
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
    expect(terminal.all).toContain("Go on with: cairn --resume");
  });
});
