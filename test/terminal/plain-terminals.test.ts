// @module-tag long: sessions in a terminal.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";
import { Terminal } from "./support/terminal.ts";

const stage = setUpStage();

describe("a terminal without colours", () => {
  it("uses weight and inversion without colors", async () => {
    stage.model.script({ text: "# Title\n\n`code` and **bold**\n\n```ts\nconst a = 1;\n```\n" });
    const terminal = stage.start({ noColor: true });
    await terminal.waitFor("scripted");
    terminal.type("hi\r");
    await terminal.waitFor("const a = 1;");
    expect(terminal.raw).toContain("\x1b[1m");
    expect(terminal.raw).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m/);
  });
});

describe("a dumb terminal", () => {
  const startDumb = () =>
    new Terminal({
      script: stage.script,
      cwd: stage.project,
      env: { ...stage.env(), TERM: "dumb" },
    });

  it("runs line by line without control sequences", async () => {
    stage.model.script({ text: "first answer" }, { text: "second answer" });
    const terminal = startDumb();
    await terminal.waitFor(/>$/);
    terminal.type("one\r");
    await terminal.waitFor(/first answer\s+>$/);
    terminal.type("two\r");
    await terminal.waitFor(/second answer\s+>$/);
    expect(terminal.raw).not.toContain("\x1b");
    terminal.type("/exit\r");
    expect(await terminal.exited).toBe(0);
  });

  it("resumes an earlier thread", async () => {
    stage.model.script({ text: "first answer" }, { text: "second answer" });
    const earlier = startDumb();
    await earlier.waitFor(/>$/);
    earlier.type("one\r");
    await earlier.waitFor(/first answer\s+>$/);
    earlier.type("/exit\r");
    await earlier.exited;
    const terminal = startDumb();
    await terminal.waitFor(/>$/);
    terminal.type("/resume\r");
    await terminal.waitFor(/Resuming one\.\s+>$/);
    terminal.type("two\r");
    await terminal.waitFor(/second answer\s+>$/);
    expect(JSON.stringify(stage.model.requests.at(-1))).toContain("first answer");
    terminal.type("/exit\r");
    expect(await terminal.exited).toBe(0);
  });

  it("supports prompts of a flow", async () => {
    stage.model.script({ text: '{"name": "Fix", "description": "d", "acceptanceCriteria": []}' });
    const terminal = startDumb();
    await terminal.waitFor(/>$/);
    terminal.type("/tasks add fix it\r");
    await terminal.waitFor(/\[a\]bandon\s+>$/);
    terminal.type("y\r");
    await terminal.waitFor(/0-1[\s\S]*\s>$/);
    expect(readFileSync(join(stage.project, ".cairn", "tasks.json"), "utf8")).toContain("Fix");
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
  });
});

describe("a terminal whose window is closed", () => {
  it("ends the program without losing a running response", async () => {
    stage.model.script({ text: "half an ans", hang: "afterText" });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("long work\r");
    await terminal.waitFor("half an ans");
    terminal.type("and this was typed");
    await terminal.waitFor("and this was typed");
    terminal.kill("SIGHUP");
    await terminal.exited;
    const history = readFileSync(join(stage.dataDir, "input-history.jsonl"), "utf8");
    expect(history).toBe('"long work"\n"and this was typed"\n');
    const again = stage.start({ options: { resume: { kind: "latest" } } });
    await again.waitFor("half an ans");
  });
});
