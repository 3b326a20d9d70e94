import { expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";
import { Terminal } from "./support/terminal.ts";

const stage = setUpStage();

it("suspends with Ctrl-Z and resumes after fg", async () => {
  const env = { ...stage.env(), PS1: "shell> " };
  const shell = new Terminal({
    program: "bash",
    script: "--norc",
    args: ["-i"],
    cwd: stage.project,
    env,
  });
  try {
    await shell.waitFor("shell>");
    shell.type(`'${process.execPath}' '${stage.script}'\r`);
    await shell.waitFor("scripted · auto");
    shell.type("half a mess");
    await shell.waitFor("› half a mess");
    shell.type("\x1a");
    await shell.waitFor("Stopped");
    await shell.settle();
    expect(shell.raw.lastIndexOf("\x1b[?2004l")).toBeGreaterThan(shell.raw.indexOf("\x1b[?2004h"));
    shell.type("echo back in $((40+2))\r");
    await shell.waitFor("back in 42");
    shell.type("fg\r");
    await shell.waitForGone("back in 42");
    await shell.waitFor("› half a mess");
    shell.type("age\r");
    await stage.model.waitForRequests(1);
    expect(JSON.stringify(stage.model.requests[0]?.body.messages)).toContain("half a message");
  } finally {
    shell.kill();
  }
});

it("continues immediately if no shell could resume it", async () => {
  const terminal = stage.start();
  await terminal.waitFor("scripted");
  terminal.type("one ");
  await terminal.waitFor("› one");
  terminal.type("\x1a");
  await terminal.settle();
  terminal.type("two");
  await terminal.waitFor("› one two");
});
