import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { setUpStage } from "./support/stage.ts";
import { Terminal } from "./support/terminal.ts";

const stage = setUpStage();

/**
 * Ends the paste, runs a command, sets title and clipboard, clears the screen, reverses text, and
 * exits.
 */
function hostile(project: string): string {
  return [
    "harmless words\x1b[201~\r",
    `!touch ${project}/ran\r`,
    "\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\x1bP+q544e\x1b\\",
    "\x1b[2J\x1b[H\x9b31m\x1b[6n\u202egnp.exe\u202c",
    "\x1b[200~inner\x1b[201~\x03\x03\x04",
    "the last line",
  ].join("\n");
}

async function expectText(terminal: Terminal) {
  await terminal.waitFor("the last line");
  await terminal.settle();
  expect(stage.model.requests).toHaveLength(0);
  for (const effect of ["\x1b]0;owned", "\x1b]52;", "\x1bP+q", "\x9b", "\u202e"]) {
    expect(terminal.raw).not.toContain(effect);
  }
  terminal.type("\r");
  await stage.model.waitForRequests(1);
  const reply = JSON.stringify(stage.model.requests[0]?.body.messages);
  expect(reply).toContain("harmless words");
  expect(reply).toContain("!touch");
  expect(existsSync(join(stage.project, "ran"))).toBe(false);
}

it("a paste with an embedded end sequence is text", async () => {
  stage.model.script({ text: "I see." });
  const terminal = stage.start();
  await terminal.waitFor("scripted");
  terminal.type(`\x1b[200~${hostile(stage.project)}\x1b[201~`);
  await expectText(terminal);
});

it.skipIf(spawnSync("tmux", ["-V"]).status !== 0)("it is in tmux, too", async () => {
  stage.model.script({ text: "I see." });
  const socket = `cairn-${randomUUID()}`;
  const tmux = (...args: string[]) => execFileSync("tmux", ["-L", socket, ...args]);
  const terminal = new Terminal({
    program: "tmux",
    script: "-L",
    args: [socket, "-f", "/dev/null", "new-session", `'${process.execPath}' '${stage.script}'`],
    cwd: stage.project,
    env: { ...stage.env(), LC_ALL: "C.UTF-8", TMUX: "" },
  });
  onTestFinished(() => {
    tmux("kill-server");
    terminal.kill();
  });
  await terminal.waitFor("scripted", 20_000);
  const file = join(stage.dataDir, "paste");
  writeFileSync(file, hostile(stage.project));
  tmux("load-buffer", file);
  tmux("paste-buffer", "-p");
  await expectText(terminal);
});
