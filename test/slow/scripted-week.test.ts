import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCli } from "../support/built-cli.ts";
import {
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "../support/scripted-model.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { Terminal } from "../terminal/support/terminal.ts";

const SERVER = resolve("test/agent/support/small-mcp-server.mjs");
const WRONG =
  "export function total(prices) {\n  return prices.reduce((sum, p) => sum - p, 0);\n}\n";
const RIGHT = WRONG.replace("sum - p", "sum + p");
/** Prompts ignore keys for a moment after they appear. */
const READING_MS = 600;

let program = "";
let model: ScriptedModel;
let home = "";
const open: Terminal[] = [];

beforeAll(async () => {
  program = await buildCli();
}, 180_000);

beforeEach(async () => {
  model = await startScriptedModel();
  home = mkdtempSync(join(tmpdir(), "cairn-week-"));
  mkdirSync(join(home, ".config", "cairn"), { recursive: true });
  const config = {
    provider: "openai-compatible",
    model: "scripted",
    baseUrl: model.baseUrl,
    maxRetries: 0,
    prices: { scripted: { input: 300, output: 1500 } },
    embedding: { provider: "none" },
    sandbox: "off",
    permission: { mode: "ask" },
    theme: "dark",
    mcpServers: { desk: { command: process.execPath, args: [SERVER] } },
  };
  writeFileSync(join(home, ".config", "cairn", "config.json"), JSON.stringify(config));
  for (const project of ["shop", "billing"]) {
    mkdirSync(join(home, project));
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: join(home, project) });
  }
  writeFileSync(join(home, "shop", "cart.js"), WRONG);
});

afterEach(async () => {
  for (const terminal of open.splice(0)) terminal.kill();
  await model.close();
});

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const environment = () => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  TERM: "xterm-256color",
  NODE_OPTIONS: "",
});

async function sit(project: string, size: Size, ...args: readonly string[]): Promise<Terminal> {
  const cwd = join(home, project);
  const terminal = new Terminal({ script: program, args, cwd, env: environment(), ...size });
  open.push(terminal);
  await terminal.waitFor("scripted", 20_000);
  await terminal.settle();
  return terminal;
}

async function quit(terminal: Terminal): Promise<void> {
  terminal.type("\x04");
  expect(await terminal.exited).toBe(0);
}

async function say(terminal: Terminal, text: string, answer: string): Promise<void> {
  terminal.type(`${text}\r`);
  await terminal.waitFor(answer, 10_000);
  await terminal.waitForGone("Working");
  await terminal.settle();
}

async function allow(terminal: Terminal, card: string): Promise<void> {
  await terminal.waitFor(card);
  await waitFixedTime(READING_MS, "prompt ignores early keys");
  await terminal.settle();
  terminal.type("y");
}

const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, args }] });

function steady(screen: string): string {
  return (
    screen
      .replaceAll(home, "~")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "ID")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DATE")
      .replace(/after [\d.]+ s/g, "after 0.1 s")
      .replace(/↑[\d.]+k? ↓[\d.]+k?/g, "↑N ↓N")
      .replace(/memory (\w+)-[0-9a-f]{6}/g, "memory $1-HASH")
      // Appears after the sandbox check, at a position that varies.
      .replace(/· No sandbox confines[^\n]*\n(?: {2}it\.\n)?\n?/, "")
      .replaceAll(process.execPath, "node")
      .replaceAll(SERVER, "small-mcp-server.mjs")
      .replace(/[ \t]+$/gm, "")
  );
}

describe.each([
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
])("a week of work at $columns columns and $rows rows", (size) => {
  let shown = 0;
  const keep = async (terminal: Terminal, name: string) => {
    shown += 1;
    await terminal.waitFor(/ · main · (?:.*\n?)*$/);
    await terminal.settle();
    const file = `${size.columns}x${size.rows}/${shown}-${name}.txt`;
    await expect(steady(terminal.screen)).toMatchFileSnapshot(`../tui/__screens__/week/${file}`);
  };

  it("plans, edits, calls a server, reconnects, forks, undoes, and isolates projects", async () => {
    shown = 0;
    const monday = await sit("shop", size);
    const plan =
      "---\nname: Sums\ndescription: Totals are right\n---\n# Approach\n\n1. Find the sign\n2. Turn it round";
    model.script(call("ask_user", { question: "Are there refunds?" }), { text: plan });
    monday.type("/plan why are totals negative?\r");
    await monday.waitFor("Are there refunds?");
    await monday.settle();
    monday.type("no refunds\r");
    await monday.waitFor("y yes");
    await keep(monday, "plan");
    monday.type("y\r");
    await monday.waitFor(/✓ .*plan/i);
    expect(readFileSync(join(home, "shop/.cairn/plans.json"), "utf8")).toContain("Sums");
    await say(monday, "/remember We round money per line", "✓ Remembered");
    await quit(monday);

    const tuesday = await sit("shop", size);
    let isEdited = false;
    model.respond(({ body }) => {
      if (isEdited) return { text: "The sign is turned round: **totals are positive** now." };
      isEdited = true;
      const start = /2:[0-9a-z]+(?=\|)/.exec(JSON.stringify(body.messages))?.[0];
      const content = "  return prices.reduce((sum, p) => sum + p, 0);";
      return call("edit", { path: "cart.js", edits: [{ start, content }] });
    });
    tuesday.type("fix the total in @cart.js\r");
    await tuesday.waitFor("Allow edit?");
    await keep(tuesday, "edit-card");
    expect(readFileSync(join(home, "shop/cart.js"), "utf8")).toBe(WRONG);
    await allow(tuesday, "Allow edit?");
    await tuesday.waitFor("totals are positive");
    await tuesday.waitForGone("Working");
    await keep(tuesday, "edited");
    expect(readFileSync(join(home, "shop/cart.js"), "utf8")).toBe(RIGHT);

    model.script(call("mcp__desk__add", { a: 19, b: 23 }), { text: "The desk says 42." });
    tuesday.type("what does the desk say to 19 and 23?\r");
    await allow(tuesday, "Allow mcp__desk__add?");
    await tuesday.waitFor("The desk says 42.");
    await tuesday.waitForGone("Working");
    await say(tuesday, "/mcp", "desk: ● ready");
    await keep(tuesday, "server-tool");

    model.script({ text: ["The reason is that the old code took prices "], cutOff: true });
    tuesday.type("why was it negative?\r");
    await tuesday.waitFor("took prices");
    await tuesday.waitFor("✗ ");
    await tuesday.waitForGone("Working");
    await keep(tuesday, "broken-stream");
    model.script({ text: "It took prices away instead of adding them." });
    await say(tuesday, "go on", "instead of adding them.");
    await quit(tuesday);

    const thursday = await sit("shop", size, "--continue");
    await thursday.waitFor("instead of adding them.");
    await keep(thursday, "resumed");
    await say(thursday, "/fork with refunds", "✓ Forked");
    model.script(call("write", { path: "refunds.js", content: "export const refunds = 1;\n" }), {
      text: "There are refunds.",
    });
    thursday.type("add refunds after all\r");
    await allow(thursday, "Allow write?");
    await thursday.waitFor("There are refunds.");
    await thursday.waitForGone("Working");
    expect(existsSync(join(home, "shop/refunds.js"))).toBe(true);
    thursday.type("/undo\r");
    await thursday.waitFor(/✓ .*refunds/i);
    await keep(thursday, "undone");
    expect(existsSync(join(home, "shop/refunds.js"))).toBe(false);
    expect(readFileSync(join(home, "shop/cart.js"), "utf8")).toBe(RIGHT);
    thursday.type("/sessions\r");
    await thursday.waitFor("Sessions · type to search");
    await keep(thursday, "sessions");
    thursday.type("\x1b");
    await thursday.waitForGone("Sessions ·");
    await quit(thursday);

    const friday = await sit("billing", size);
    await say(friday, "/recall round money", "Nothing");
    await say(friday, "/sessions", "There are no other sessions in this project.");
    await keep(friday, "another-project");
    await quit(friday);
    const back = await sit("shop", size);
    await say(back, "/recall round money", "We round money per line");
    await quit(back);
  }, 900_000);
});
