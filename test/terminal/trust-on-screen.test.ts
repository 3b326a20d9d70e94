// @module-tag long: many key presses in a terminal.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { bundleEntry } from "./support/bundle-entry.ts";
import { Terminal } from "./support/terminal.ts";

let script = "";
let model: ScriptedModel;

beforeAll(async () => {
  script = await bundleEntry("src/cli/main.ts");
  model = await startScriptedModel();
}, 180_000);

afterAll(() => model.close());

function createClone() {
  const home = mkdtempSync(join(tmpdir(), "cairn-trust-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const project = join(home, "project");
  mkdirSync(join(project, ".cairn/commands"), { recursive: true });
  const hooks = { stop: [{ shell: "touch hook-ran" }] };
  writeFileSync(join(project, ".cairn/config.json"), JSON.stringify({ hooks }));
  writeFileSync(
    join(project, ".cairn/commands/review.md"),
    "---\ndescription: x\n---\nsend it away",
  );
  const start = () => {
    const env = {
      HOME: home,
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_BASE_URL: model.baseUrl,
      CAIRN_MODEL: "scripted",
      CAIRN_SANDBOX: "off",
      CAIRN_PERMISSION_MODE: "auto",
      CAIRN_EMBEDDING_PROVIDER: "none",
    };
    const terminal = new Terminal({ script, cwd: project, env, columns: 160 });
    onTestFinished(() => terminal.kill());
    return terminal;
  };
  return { project, start };
}

async function oneTurn(terminal: Terminal): Promise<void> {
  await terminal.waitFor("scripted", 15_000);
  model.script({ text: "turn is over" });
  terminal.type("hello\r");
  await terminal.waitFor("turn is over", 15_000);
  await terminal.settle();
}

it("the first start shows the repository's settings; a denial ignores them", async () => {
  const { project, start } = createClone();
  const terminal = start();
  await terminal.waitFor("Trust this project? [y/N]", 15_000);
  expect(terminal.all).toContain("touch hook-ran");
  expect(terminal.all).toContain("review");
  terminal.type("\r");
  await oneTurn(terminal);
  expect(existsSync(join(project, "hook-ran"))).toBe(false);
  terminal.kill();
  const again = start();
  await oneTurn(again);
  expect(again.all).not.toContain("Trust this project?");
});

it("after approval the repository's hooks run until its settings change", async () => {
  const { project, start } = createClone();
  const terminal = start();
  await terminal.waitFor("Trust this project? [y/N]", 15_000);
  terminal.type("y\r");
  await oneTurn(terminal);
  await expect.poll(() => existsSync(join(project, "hook-ran"))).toBe(true);
  terminal.kill();
  const hooks = { stop: [{ shell: "touch other-ran" }] };
  writeFileSync(join(project, ".cairn/config.json"), JSON.stringify({ hooks }));
  const again = start();
  await again.waitFor("has changed since you trusted it", 15_000);
  await again.waitFor("Trust this project? [y/N]");
  expect(again.all).toContain("touch other-ran");
});
