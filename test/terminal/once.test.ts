// @module-tag long: many key presses in a terminal.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program without a terminal. Without `input`, standard input stays empty. */
function run(options: object, input?: string | Buffer, settings: object = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [stage.script], {
    cwd: stage.project,
    env: { ...process.env, ...stage.env({ options, ...settings }) },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout?.on("data", (data) => {
    out += data;
  });
  child.stderr?.on("data", (data) => {
    err += data;
  });
  child.stdin?.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

describe("one prompt without a terminal", () => {
  it("prints only the answer to stdout, tools to stderr, and exits with 0", async () => {
    writeFileSync(join(stage.project, "a.txt"), "x\n");
    stage.model.script(
      { toolCalls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: ["It says ", "**x**."] },
    );
    expect(await run({ prompt: "what does it say?" })).toEqual({
      code: 0,
      out: "It says **x**.\n",
      err: "* read a.txt\n",
    });
  });

  it("prints notes on the run, such as retries, to stderr", async () => {
    let requests = 0;
    stage.model.respond(() => (requests++ === 0 ? { status: 503 } : { text: "Done." }));
    expect(await run({ prompt: "go" }, undefined, { llm: { maxRetries: 1 } })).toEqual({
      code: 0,
      out: "Done.\n",
      err: expect.stringContaining("retrying"),
    });
  });

  it("tells the model that no user can answer, and continues", async () => {
    stage.model.script(
      { toolCalls: [{ name: "ask_user", args: { question: "Which store?" } }] },
      { text: "I took SQLite." },
    );
    const outcome = await run({ prompt: "store it" });
    expect(outcome).toMatchObject({ code: 0, out: "I took SQLite.\n" });
    const message = stage.model.requests[1]?.body.messages.at(-1)?.content;
    expect(message).toMatch(/^No user is available to answer/);
  });

  it("appends piped input to the prompt", async () => {
    await run({ prompt: "review this" }, "diff --git a b");
    const messages = JSON.stringify(stage.model.requests[0]?.body.messages);
    expect(messages).toContain("review this\\n\\ndiff --git a b");
  });

  it("uses piped input as the prompt, for any bytes", async () => {
    expect(await run({}, Buffer.from([0x68, 0x69, 0xff, 0xfe]))).toMatchObject({ code: 0 });
    expect(JSON.stringify(stage.model.requests[0]?.body.messages)).toContain("hi\ufffd\ufffd");
  });

  it("reports a missing prompt", async () => {
    const outcome = await run({});
    expect(outcome.code).toBe(1);
    expect(outcome.err).toContain("cairn: error: There is no prompt");
  });

  it("exits with 1 and a sentence when the run fails", async () => {
    stage.model.script({ status: 401, errorMessage: "bad key" });
    const outcome = await run({ prompt: "hi" });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toMatch(/^cairn: error: .*bad key/);
  });

  it("exits with 1 and a sentence when the config is broken", async () => {
    const outcome = await run({ prompt: "hi" }, undefined, {
      connectError: "config.json: not JSON",
    });
    expect(outcome).toEqual({ code: 1, out: "", err: "cairn: error: config.json: not JSON\n" });
  });

  it("prints events as JSON lines without control sequences", async () => {
    stage.model.script({ text: ["a\x1b[2Jb\u202e", "\x9b31m"] });
    const { code, out } = await run({ prompt: "hi", outputFormat: "stream-json" });
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(events.map((event) => event.type)).toContain("assistant.done");
    expect(events.at(-2)).toMatchObject({ type: "status", phase: "idle" });
    expect(events.at(-1)).toMatchObject({ type: "result", outcome: "completed", text: "ab" });
    expect(events.find((event) => event.type === "assistant.done").text).toBe("ab");
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|\\u001b/);
  });

  it("prints the result as one JSON object", async () => {
    writeFileSync(join(stage.project, "a.txt"), "x\n");
    stage.model.script(
      { toolCalls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "It says x." },
    );
    const { code, out, err } = await run({ prompt: "read it", outputFormat: "json" });
    const result = JSON.parse(out);
    expect(result).toEqual({
      type: "result",
      outcome: "completed",
      text: "It says x.",
      usage: { inputTokens: 20, outputTokens: 10 },
      cost: null,
      duration_ms: expect.any(Number),
      session: expect.stringMatching(/^[\w-]{8,}$/),
      errors: [],
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    stage.model.script({ status: 401, errorMessage: "bad key" });
    const failed = await run({
      prompt: "again",
      outputFormat: "json",
      resume: { kind: "thread", threadId: result.session },
    });
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toMatchObject({
      outcome: "failed",
      session: result.session,
      errors: [expect.stringContaining("bad key")],
    });
  });

  it("sums the cost, or null for an unknown price", async () => {
    const usage = { input: 1_000, output: 100 };
    const priced = { llm: { prices: { scripted: { input: 2_000, output: 10_000 } } } };
    const json = { prompt: "look", outputFormat: "json" };
    const call = { toolCalls: [{ name: "glob", args: { pattern: "*" } }], usage };
    stage.model.script(call, { text: "done", usage });
    const answered = JSON.parse((await run(json, undefined, priced)).out);
    expect(answered).toMatchObject({
      cost: 6,
      usage: { inputTokens: 2_000, outputTokens: 200 },
    });
    stage.model.script(call, { status: 401, errorMessage: "bad key" });
    const failed = JSON.parse((await run(json, undefined, priced)).out);
    expect(failed).toMatchObject({
      outcome: "failed",
      cost: 3,
      usage: { inputTokens: 1_000, outputTokens: 100 },
    });
    const stopped = { ...priced, settings: { maxCost: 2 } };
    expect(JSON.parse((await run(json, undefined, stopped)).out)).toMatchObject({
      outcome: "failed",
      errors: [expect.stringContaining("the next request could exceed the limit")],
    });
    stage.model.script({ text: "done", usage });
    const unpriced = JSON.parse((await run(json)).out);
    expect(unpriced).toMatchObject({ cost: null, usage: { inputTokens: 1_000 } });
  });

  it("runs slash commands, also without a model", async () => {
    expect(await run({ prompt: "/remember tabs, not spaces" })).toMatchObject({
      code: 0,
      out: expect.stringContaining("Remembered as ep:1"),
    });
    expect((await run({ prompt: "/recall tabs" })).out).toContain("tabs, not spaces");
    expect((await run({ prompt: "/conflicts" })).out).toContain("There are no open conflicts");
    expect(stage.model.requests).toHaveLength(0);
  });

  it("waits for the end of a flow with several runs", async () => {
    mkdirSync(join(stage.project, ".cairn"));
    const task = { description: "d", relatedFiles: [], acceptanceCriteria: [], status: "open" };
    const tasks = [
      { id: "0-1", name: "First", ...task },
      { id: "0-2", name: "Second", ...task },
    ];
    writeFileSync(join(stage.project, ".cairn", "tasks.json"), JSON.stringify(tasks));
    stage.model.script({ text: "one done" }, { text: "two done", delayMs: 200 });
    const { code, out } = await run({ prompt: "/tasks run" });
    expect(code).toBe(0);
    expect(out).toMatch(/\[1\/2\] running: .*First[\s\S]*one done[\s\S]*\[2\/2\] done/);
    expect(out).toContain("two done");
  });

  it("exits with a message if a command asks", async () => {
    const draft = '{"name": "n", "description": "d", "acceptanceCriteria": []}';
    stage.model.script({ text: draft });
    const outcome = await run({ prompt: "/tasks add something" });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toContain("which requires a terminal");
  });

  it("continues the latest session", async () => {
    await run({ prompt: "the word is apple" });
    await run({ prompt: "which word?", resume: { kind: "latest" } });
    expect(JSON.stringify(stage.model.requests[1]?.body.messages)).toContain("the word is apple");
    const lost = await run({ prompt: "x", resume: { kind: "thread", threadId: "nope" } });
    expect(lost).toMatchObject({ code: 1, err: expect.stringContaining('No thread "nope"') });
  });

  it("stops the run at an interrupt and exits with 130", async () => {
    stage.model.script({ text: "partly", hang: "afterText" });
    const child = spawn(process.execPath, [stage.script], {
      cwd: stage.project,
      env: { ...process.env, ...stage.env({ options: { prompt: "go" } }) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130);
  });
});
