// @module-tag long: starts and kills processes.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createCairnFolders } from "../../support/cairn-process.ts";
import {
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "../../support/scripted-model.ts";
import { bundleEntry } from "../../terminal/support/bundle-entry.ts";
import { Terminal } from "../../terminal/support/terminal.ts";
import { listTree } from "./tree-hash.ts";

let script = "";
let model: ScriptedModel;
let folders: ReturnType<typeof createCairnFolders>;

beforeAll(async () => {
  script = await bundleEntry("src/cli/main.ts");
}, 180_000);

beforeEach(async () => {
  model = await startScriptedModel();
  folders = createCairnFolders();
  const config = join(folders.home, ".config/cairn");
  mkdirSync(config, { recursive: true });
  const permission = { rules: [{ tool: "shell", action: "allow" }] };
  writeFileSync(join(config, "config.json"), JSON.stringify({ permission }));
});

afterEach(() => model.close());

function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folders.home,
    TERM: "xterm-256color",
    CAIRN_EMBEDDING_PROVIDER: "none",
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_BASE_URL: model.baseUrl,
    CAIRN_MODEL: "scripted",
    CAIRN_SANDBOX: "false",
    CAIRN_PERMISSION_MODE: "auto",
  };
}

const at = (path: string) => join(folders.project, path);
const soon = { timeout: 90_000 };

function open(...args: readonly string[]): Terminal {
  const terminal = new Terminal({ script, args, cwd: folders.project, env: environment() });
  onTestFinished(() => terminal.kill());
  return terminal;
}

function start(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folders.project,
    env: environment(),
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function oneShot(...args: readonly string[]): Promise<void> {
  const [code] = await once(start(...args), "exit");
  expect(code).toBe(0);
}

/** Creates a project and scripts a second turn that stops halfway through an edit and a command. */
function prepare(): void {
  execFileSync("git", ["init", "-q"], { cwd: folders.project });
  for (const name of ["a", "b", "c"]) writeFileSync(at(`${name}.txt`), `${name}0\n`);
  const write = (path: string): ScriptedAnswer => ({
    toolCalls: [{ name: "write", args: { path, content: `${path} new\n`, overwrite: true } }],
  });
  const command = "echo c1 > c.txt; rm a.txt; echo $$ > pid; sleep 60";
  const answers: readonly ScriptedAnswer[] = [
    write("a.txt"),
    { text: "a good answer" },
    write("b.txt"),
    { toolCalls: [{ name: "shell", args: { command } }] },
  ];
  model.respond(({ index }) => answers[index] ?? { text: "an answer" });
}

const isHalfDone = () => listTree(folders.project).some((one) => one.startsWith("pid "));

/** Undoes the killed turn and then the turn before it. */
async function undoBoth(good: readonly string[]): Promise<void> {
  const terminal = open("--continue");
  await terminal.waitFor("a good answer", 30_000);
  await terminal.settle();
  terminal.type("/undo\r");
  await terminal.waitFor('Undid "half done"', 30_000);
  expect(listTree(folders.project)).toEqual(good);
  terminal.type("/undo\r");
  await terminal.waitFor('Undid "good work"', 30_000);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("a0\n");
}

it("undoes a killed terminal turn, and not the one before it", async () => {
  prepare();
  const terminal = open();
  await terminal.waitFor("scripted", 30_000);
  terminal.type("good work\r");
  await terminal.waitFor("a good answer", 30_000);
  await terminal.waitForGone("Working");
  const good = listTree(folders.project);
  terminal.type("half done\r");
  await expect.poll(isHalfDone, soon).toBe(true);
  terminal.kill("SIGKILL");
  await terminal.exited;
  await undoBoth(good);
}, 360_000);

it("undoes a killed turn of `cairn -p`", async () => {
  prepare();
  await oneShot("-p", "good work");
  const good = listTree(folders.project);
  const killed = start("-p", "half done", "--continue");
  await expect.poll(isHalfDone, soon).toBe(true);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await undoBoth(good);
}, 360_000);
