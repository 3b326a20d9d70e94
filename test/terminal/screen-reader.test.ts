// @module-tag long: many key presses in a terminal.
import { describe, expect, it } from "vitest";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();
const SPOKEN = { options: { screenReader: true } };

describe("the terminal for a screen reader", () => {
  it("prints states in words line by line without redraws", async () => {
    stage.model.script(
      {
        toolCalls: [
          { name: "write", args: { path: "a.txt", content: "one\ntwo\n" } },
          { name: "shell", args: { command: "echo out; exit 3" } },
        ],
      },
      { text: "# All\n\n- **done** as asked" },
    );
    const terminal = stage.start(SPOKEN);
    await terminal.waitFor("Model scripted. Memory default.");
    terminal.type("make it\r");
    await terminal.waitFor(/Answer: All[\s\S]*Ready\./);
    const { all } = terminal;
    expect(all).toContain("Working.");
    expect(all).toContain("Done: write a.txt, 2 lines added, 0 lines removed.");
    expect(all).toContain("added: two");
    expect(all).toContain("Running: shell echo out; exit 3");
    expect(all).toMatch(/Failed: shell echo out; exit 3[\s\S]*out/);
    expect(all).toContain("done as asked");
    expect(terminal.raw).not.toContain("\x1b");
    expect(all.match(/Done: write a\.txt/g)).toHaveLength(1);
    terminal.type("/exit\r");
    expect(await terminal.exited).toBe(0);
  });

  it("asks for permission in words; earlier lines are no answer", async () => {
    stage.model.script(
      { toolCalls: [{ name: "shell", args: { command: "touch made.txt" } }] },
      { text: "Made." },
    );
    const terminal = stage.start({ ...SPOKEN, settings: { permission: { mode: "ask" } } });
    await terminal.waitFor("Model scripted.");
    terminal.type("make it\r");
    await terminal.waitFor("Choose one of these:");
    expect(terminal.all).toMatch(/Allow shell\?\s+touch made\.txt/);
    expect(terminal.all).toContain("y: once");
    terminal.type("y\r");
    await terminal.waitFor("was not used as its answer");
    expect(terminal.all).not.toContain("Answer: Made.");
    await waitFixedTime(600, "prompt ignores early keys");
    terminal.type("y\r");
    await terminal.waitFor("Answer: Made.");
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
  });

  it("lists sessions to choose by a number", async () => {
    stage.model.script({ text: "first answer" }, { text: "second answer" });
    const earlier = stage.start(SPOKEN);
    await earlier.waitFor("Model scripted.");
    earlier.type("about parrots\r");
    await earlier.waitFor(/first answer[\s\S]*Ready\./);
    earlier.type("/exit\r");
    await earlier.exited;
    expect(earlier.all).toContain("cairn --screen-reader --resume ");
    const terminal = stage.start({ options: { screenReader: true, resume: { kind: "pick" } } });
    await terminal.waitFor("1: about parrots");
    terminal.type("7\r");
    await terminal.waitFor("There is no such number.");
    terminal.type("1\r");
    await terminal.waitFor("Answer: first answer");
    terminal.type("and now\r");
    await terminal.waitFor("Answer: second answer");
    expect(JSON.stringify(stage.model.requests.at(-1))).toContain("about parrots");
    terminal.type("/exit\r");
    expect(await terminal.exited).toBe(0);
  });

  it("groups read-only calls and prints details on request", async () => {
    stage.model.script(
      {
        toolCalls: [
          { name: "glob", args: { pattern: "*.none" } },
          { name: "glob", args: { pattern: "*.nothing" } },
        ],
      },
      { text: "Nothing there." },
    );
    const terminal = stage.start(SPOKEN);
    await terminal.waitFor("Model scripted.");
    terminal.type("look\r");
    await terminal.waitFor(/Answer: Nothing there[\s\S]*Ready\./);
    expect(terminal.all).toMatch(
      /Explored 2 searches: \*\.(?:none, \*\.nothing|nothing, \*\.none)\./,
    );
    terminal.type("/more\r");
    await terminal.waitFor("Done: glob *.nothing");
    terminal.type("/exit\r");
    expect(await terminal.exited).toBe(0);
  });

  it("cancels a run with Ctrl-C and exits on the second", async () => {
    stage.model.script({ text: "half an ans", hang: "afterText" });
    const terminal = stage.start(SPOKEN);
    await terminal.waitFor("Model scripted.");
    terminal.type("long work\r");
    await terminal.waitFor("Working.");
    terminal.type("\x03");
    await terminal.waitFor("Note: Stopped.");
    expect(terminal.all).toContain("Ctrl-C again to exit");
    terminal.type("\x03");
    expect(await terminal.exited).toBe(0);
  });

  it("masks a requested key", async () => {
    const terminal = stage.start({
      ...SPOKEN,
      baseUrl: undefined,
      ollamaUrl: "http://127.0.0.1:9",
    });
    await terminal.waitFor("Choose one of these:");
    const choice = /^(\w+): Anthropic/m.exec(terminal.all)?.[1];
    terminal.type(`${choice}\r`);
    await terminal.waitFor("Your input is hidden.");
    terminal.type("sk-ant-secretx\x7f\r");
    await terminal.waitFor(/•••|You: /);
    expect(terminal.raw).not.toContain("sk-ant-secret");
    terminal.kill();
  });
});
