// @module-tag long: many key presses in a terminal.
import { expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";
import type { Terminal } from "./support/terminal.ts";

const stage = setUpStage();

async function sitting(...messages: readonly string[]): Promise<void> {
  const terminal = stage.start();
  await terminal.waitFor("scripted");
  for (const message of messages) {
    terminal.type(`${message}\r`);
    await terminal.waitFor(`answer to ${message}`);
    await terminal.waitForGone("Working");
  }
  terminal.type("\x04");
  await terminal.exited;
}

async function openPicker(): Promise<Terminal> {
  const terminal = stage.start({ options: { resume: { kind: "pick" } } });
  await terminal.waitFor("Sessions · type to search");
  await terminal.settle();
  return terminal;
}

it("a session can be renamed in the list", async () => {
  stage.model.script({ text: "answer to first" }, { text: "answer to second" });
  await sitting("first");
  await sitting("second");
  const terminal = await openPicker();
  terminal.type("fir");
  await terminal.waitForGone("second");
  terminal.type("\x12");
  await terminal.waitFor("New title › first");
  terminal.type("\x15The main roads\x7f\r");
  await terminal.waitFor("› The main road ");
  terminal.type("\x1b");
  await terminal.waitForGone("Sessions");
  terminal.type("\x04");
  await terminal.exited;
  const again = await openPicker();
  expect(again.screen).toContain("The main road");
  expect(again.screen).toContain("second");
  expect(again.screen).not.toContain("› first");
});

it("Esc while renaming returns to the list without changes", async () => {
  stage.model.script({ text: "answer to first" });
  await sitting("first");
  const terminal = await openPicker();
  terminal.type("\x12");
  await terminal.waitFor("New title › first");
  terminal.type(" of all");
  await terminal.waitFor("New title › first of all");
  terminal.type("\x1b");
  await terminal.waitForGone("New title");
  expect(terminal.screen).toContain("Sessions");
  expect(terminal.screen).not.toContain("of all");
});

it("a fork shows failed calls with their details", async () => {
  stage.model.script(
    { toolCalls: [{ name: "read", args: { path: "nowhere.txt" } }] },
    { text: "answer to first" },
  );
  const terminal = stage.start();
  await terminal.waitFor("scripted");
  terminal.type("first\r");
  await terminal.waitFor("answer to first");
  await terminal.waitForGone("Working");
  terminal.type("/fork another\r");
  await terminal.waitFor("Session of ");
  await terminal.settle();
  expect(terminal.all.split("✗ read nowhere.txt").length).toBeGreaterThan(2);
  expect(terminal.all).not.toContain("● read");
});
