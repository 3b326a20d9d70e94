import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { bundleEntry } from "./support/bundle-entry.ts";
import { Terminal } from "./support/terminal.ts";

let script = "";
let model: ScriptedModel;
let home = "";

beforeAll(async () => {
  script = await bundleEntry("src/cli/main.ts");
  model = await startScriptedModel();
}, 180_000);

afterAll(() => model.close());

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  mkdirSync(join(home, "project"));
});

function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TERM: "xterm-256color",
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_BASE_URL: model.baseUrl,
    CAIRN_MODEL: "scripted",
    CAIRN_SANDBOX: "false",
    CAIRN_PERMISSION_MODE: "auto",
  };
}

async function cairn(...args: readonly string[]) {
  const options = { cwd: join(home, "project"), env: environment() };
  const running = promisify(execFile)(process.execPath, [script, ...args], options);
  running.child.stdin?.end();
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

function terminal(): Terminal {
  return new Terminal({ script, cwd: join(home, "project"), env: environment() });
}

function largestFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  return files.sort((a, b) => statSync(b).size - statSync(a).size)[0] ?? "";
}

describe("the program", () => {
  it("answers a prompt given in quotes", async () => {
    model.script({ text: "42" });
    expect(await cairn("what is it?")).toMatchObject({ code: 0, stdout: "42\n" });
  });

  it("reports the file of an invalid config, in line mode and on screen", async () => {
    mkdirSync(join(home, ".config", "cairn"), { recursive: true });
    writeFileSync(join(home, ".config", "cairn", "config.json"), '{"model": ');
    const { code, stderr } = await cairn("hi there");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/config\.json/);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    const screen = terminal();
    await screen.waitFor("Your message is still queued");
    screen.type("a question\r");
    await screen.waitFor(/Your message is still queued[\s\S]*Your message is still queued/);
    expect(screen.all).toContain("config.json");
    writeFileSync(join(home, ".config", "cairn", "config.json"), "{}");
    model.script({ text: "better now" });
    screen.type("\r");
    await screen.waitFor("better now");
    screen.kill();
  });

  it("resumes a session with a truncated transcript", {
    tags: ["long"],
  }, async () => {
    model.script({ text: "an answer of some length" }, { text: "going on" });
    await cairn("a question of some length");
    const transcript = largestFile(join(home, ".local", "share", "cairn", "threads"));
    truncateSync(transcript, statSync(transcript).size - 20);
    const screen = new Terminal({ script, cwd: join(home, "project"), env: environment() });
    await screen.waitFor("scripted");
    screen.type("/resume\r");
    await screen.waitFor("Sessions");
    screen.type("\r");
    await screen.waitFor("a question of some length");
    screen.type("and?\r");
    await screen.waitFor("going on");
    screen.kill();
  });

  it("lists and stores memories without a model", async () => {
    await cairn("/remember the build needs Node 20");
    expect((await cairn("/recall build")).stdout).toContain("the build needs Node 20");
  });
});
