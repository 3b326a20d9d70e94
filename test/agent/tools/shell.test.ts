import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childEnvironment, secretNames } from "../../../src/agent/processes/child-environment.ts";
import { OutputRing } from "../../../src/agent/processes/managed-process.ts";
import { shellStatusTool, shellTool } from "../../../src/agent/tools/shell.ts";
import { SERVICES } from "../../../src/llm/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";
import { openToolBench, type ToolBench } from "../support/tool-bench.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

const shell = (input: object, signal?: AbortSignal) => bench.run(shellTool, input, signal);
const status = (input: object) => bench.run(shellStatusTool, input);

describe("shell", () => {
  it("returns output and exit code; a failing command is an error result", async () => {
    const result = await shell({ command: "echo out; echo err >&2; pwd; exit 3" });
    expect(result.text).toContain("out\n");
    expect(result.text).toContain("err\n");
    expect(result.text).toContain(bench.root);
    expect(result.text).toMatch(/exit code 3 after/);
    expect(result.isError).toBe(true);
    expect((await shell({ command: "true" })).isError).toBeUndefined();
  });

  it("has no stdin: a command that reads gets the end of input", async () => {
    expect((await shell({ command: "cat; echo read" })).text).toContain("read");
  });

  it("continues in the background after its timeout, and can be polled", async () => {
    const sleep = createSleepCommand();
    const result = await shell({ command: `echo early; ${sleep}`, timeout_ms: 200 });
    expect(result.text).toContain("early");
    expect(result.text).toContain("in the background as sh1");
    expect((await status({ action: "list" })).text).toMatch(/sh1: running for/);
    expect((await status({ action: "output", id: "sh1" })).text).toContain("early");
    await status({ action: "kill", id: "sh1" });
    expect(liveCommands(sleep)).toEqual([]);
    expect((await status({ action: "status", id: "sh1" })).text).toContain("ended by SIGTERM");
  });

  it("returns immediately if started in the background; its tail can be read", async () => {
    const wait = "while [ ! -e go ]; do sleep 0.02; done";
    await shell({ command: `seq 1 100; ${wait}; echo last`, background: true });
    await shell({ command: "touch go" });
    const tail = async () => (await status({ action: "tail", id: "sh1", lines: 2 })).text;
    await expect.poll(tail).toMatch(/^100\nlast\nsh1: exit code 0/);
  });

  it("does not wait for background processes", async () => {
    const sleep = createSleepCommand();
    const before = performance.now();
    const { text } = await shell({ command: `${sleep} & echo started` });
    expect(performance.now() - before).toBeLessThan(6_000);
    expect(text).toContain("started");
    expect(liveCommands(sleep)).not.toEqual([]);
    await bench.processes.killAll();
    expect(liveCommands(sleep)).toEqual([]);
  });

  it("kills processes that ignore SIGTERM or left the process group", {
    tags: ["long"],
  }, async () => {
    const sleep = createSleepCommand();
    const command = `trap '' TERM; (trap '' TERM; setsid ${sleep}) & ${sleep}`;
    await shell({ command, background: true });
    await waitUntil(() => liveCommands(sleep).length >= 3);
    const before = performance.now();
    await bench.processes.killAll();
    expect(liveCommands(sleep)).toEqual([]);
    expect(performance.now() - before).toBeLessThan(10_500);
  });

  it("strips control sequences for the model and the user", async () => {
    const { text } = await shell({ command: "printf '\\033[31mred\\033[0m\\033]0;title\\007'" });
    expect(text.split("\n")[0]).toBe("red");
  });

  it("reports known ids for an unknown one", async () => {
    await shell({ command: "true" });
    await expect(status({ action: "kill", id: "sh9" })).rejects.toThrow("Known: sh1");
    await expect(status({ action: "kill" })).rejects.toThrow("needs the id");
  });
});

describe("output", () => {
  it("keeps the first and last part of output of any length", async () => {
    const { text } = await shell({ command: "echo FIRST; yes | head -c 3000000; echo LAST" });
    expect(text.length).toBeLessThan(80_000);
    expect(text.startsWith("FIRST\n")).toBe(true);
    expect(text).toMatch(/bytes omitted[\s\S]*LAST\nexit code 0/);
  });

  it("keeps short output completely, in chunks of any size", () => {
    const ring = new OutputRing();
    const whole = Buffer.from("äöü€😀".repeat(2000));
    for (let at = 0; at < whole.length; at += 7) ring.add(whole.subarray(at, at + 7));
    expect(ring.text()).toBe(whole.toString("utf8"));
    expect(ring.totalBytes).toBe(whole.length);
  });
});

describe("the environment of commands", () => {
  it("contains no key of a model provider", () => {
    const names = Object.values(SERVICES).flatMap((service) =>
      "keyVariable" in service ? [service.keyVariable] : [],
    );
    expect(names.length).toBeGreaterThan(15);
    const given = Object.fromEntries(names.map((name) => [name, "k"]));
    expect(childEnvironment(given)).toEqual({});
    expect(secretNames(given)).toEqual(Object.keys(given));
  });

  it("contains no credentials, by name or value", () => {
    const given = {
      PATH: "/bin",
      CAIRN_API_KEY: "a",
      CAIRN_TOKEN: "b",
      OPENAI_API_KEY: "c",
      ANTHROPIC_API_KEY: "d",
      GOOGLE_GENERATIVE_AI_API_KEY: "e",
      MY_OWN_NAME: "the-key",
      CAIRN_DB: "notes",
      EMPTY: undefined,
    };
    expect(childEnvironment(given, ["the-key", undefined])).toEqual({
      PATH: "/bin",
      CAIRN_DB: "notes",
    });
  });
});
