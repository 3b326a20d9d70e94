// @module-tag long: sessions in a terminal.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { setUpStage } from "./support/stage.ts";
import type { Terminal } from "./support/terminal.ts";

const stage = setUpStage();

const asking = { settings: { permission: { mode: "ask" } } };
const shell = (command: string) => ({ toolCalls: [{ name: "shell", args: { command } }] });
const made = (name: string) => existsSync(join(stage.project, name));

async function ask(command: string, ...further: readonly object[]) {
  stage.model.script(shell(command), ...further, { text: "all done" });
  const terminal = stage.start(asking);
  await terminal.waitFor("scripted");
  terminal.type("go\r");
  await terminal.waitFor("Allow shell?");
  await waitUntilReadable(terminal);
  return terminal;
}

async function waitUntilReadable(terminal: Terminal): Promise<void> {
  await waitFixedTime(600, "prompt ignores early keys");
  await terminal.settle();
}

const lastRequest = () => JSON.stringify(stage.model.requests.at(-1)?.body.messages);

describe("the permission card", () => {
  it("shows the command and choices, and y runs it once", async () => {
    const terminal = await ask("touch one");
    expect(made("one")).toBe(false);
    expect(terminal.screen).toContain("touch one");
    for (const choice of ["y once", "a always: shell touch *", "n no"]) {
      expect(terminal.screen).toContain(choice);
    }
    terminal.type("y\r");
    await terminal.waitFor("all done");
    expect(made("one")).toBe(true);
  });

  it("closes with n, and the model is informed", async () => {
    const terminal = await ask("touch one");
    terminal.type("n\r");
    await terminal.waitFor("all done");
    expect(made("one")).toBe(false);
    expect(lastRequest()).toContain("The user rejected this call");
    await terminal.waitForGone("y once");
  });

  it("treats text as a denial with feedback", async () => {
    const terminal = await ask("touch one");
    terminal.type("use two instead\r");
    await terminal.waitFor("all done");
    expect(made("one")).toBe(false);
    expect(lastRequest()).toContain("use two instead");
  });

  it("supports arrow keys; always is stored for the user, not the project", async () => {
    const terminal = await ask("touch one", shell("touch two"));
    terminal.type("\x1b[B");
    await terminal.settle();
    terminal.type("\r");
    await terminal.waitFor("all done");
    expect([made("one"), made("two")]).toEqual([true, true]);
    expect(terminal.all.split("Allow shell?")).toHaveLength(2);
    expect(made(".cairn")).toBe(false);
  });

  it("shows the diff of an edit", async () => {
    const write = { toolCalls: [{ name: "write", args: { path: "a.txt", content: "fresh\n" } }] };
    stage.model.script(write, { text: "all done" });
    const terminal = stage.start(asking);
    await terminal.waitFor("scripted");
    terminal.type("go\r");
    await terminal.waitFor("Allow write?");
    await terminal.waitFor("fresh");
    expect(made("a.txt")).toBe(false);
    await waitUntilReadable(terminal);
    terminal.type("y\r");
    await terminal.waitFor("all done");
    expect(readFileSync(join(stage.project, "a.txt"), "utf8")).toBe("fresh\n");
  });

  it("closes with Esc, and nothing runs", async () => {
    const terminal = await ask("touch one");
    terminal.type("\x1b");
    await terminal.waitFor("Stopped.");
    expect(made("one")).toBe(false);
  });
});

describe("a card shown while typing", () => {
  /** Types `before` while the model responds, and `after` around the moment the prompt appears. */
  async function typeAcross(before: string, after: string) {
    let call = () => {};
    const isCalled = new Promise<void>((resolve) => {
      call = resolve;
    });
    stage.model.respond(async ({ index }) => {
      if (index > 0) return { text: "all done" };
      await isCalled;
      return shell("touch one");
    });
    const terminal = stage.start(asking);
    await terminal.waitFor("scripted");
    terminal.type("go\r");
    await terminal.waitFor("Working");
    terminal.type(before);
    if (before !== "") await terminal.waitFor(`› ${before}`);
    call();
    terminal.type(after);
    await terminal.waitFor("Allow shell?");
    return terminal;
  }

  it("does not treat typed letters as always", async () => {
    const terminal = await typeAcross("not tod", "a");
    await terminal.waitFor("› not toda");
    await waitUntilReadable(terminal);
    await waitFixedTime(1500, "prompt ignores early keys");
    terminal.type("y");
    await terminal.waitFor("› not today");
    expect(made("one")).toBe(false);
    terminal.type("\r");
    await terminal.waitFor("all done");
    expect(made("one")).toBe(false);
    expect(lastRequest()).toContain("not today");
  });

  it("ignores letters in flight and accepts later ones", async () => {
    const terminal = await typeAcross("", "a");
    await terminal.waitFor("› a");
    await waitFixedTime(1500, "prompt ignores early keys");
    await waitUntilReadable(terminal);
    expect(made("one")).toBe(false);
    terminal.type("\x7f");
    await terminal.settle();
    terminal.type("y");
    await terminal.waitFor("all done");
    expect(made("one")).toBe(true);
  });

  it("does not treat the Enter of a message as a choice", async () => {
    const terminal = await typeAcross("wait", "\r");
    await waitUntilReadable(terminal);
    expect(made("one")).toBe(false);
  });
});

it("shift+tab cycles through modes, shown in the status line", async () => {
  const terminal = stage.start(asking);
  await terminal.waitFor(/\bask\b/);
  for (const mode of ["edits", "auto", "plan"]) {
    terminal.type("\x1b[Z");
    await terminal.waitFor(new RegExp(`\\b${mode}\\b`));
  }
});
