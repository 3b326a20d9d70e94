// @module-tag long: many key presses in a terminal.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();
const { start } = stage;
const screenshot = (name: string) => `./__screens__/${name}.txt`;

describe("the terminal", () => {
  it("starts, streams a response, and exits with Ctrl-D", async () => {
    stage.model.script({ text: ["# Hello\n\n", "I am **here**.\n\n", "- one\n- two\n"] });
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("hi there\r");
    await terminal.waitFor("- two");
    await terminal.waitForGone("Working");
    await terminal.settle();
    await expect(terminal.screen).toMatchFileSnapshot(screenshot("answer"));
    terminal.type("\x04");
    expect(await terminal.exited).toBe(0);
    expect(terminal.all).toContain("Resume with: cairn --resume");
  });

  it("accepts input during startup", async () => {
    stage.model.script({ text: "early bird" });
    const terminal = start();
    terminal.type("quick\r");
    await terminal.waitFor("early bird");
    expect(terminal.all.match(/› quick/g)).toHaveLength(1);
  });

  it("shows an edit as a diff and collapses long output", async () => {
    writeFileSync(join(stage.project, "a.txt"), "one\ntwo\nthree\n");
    const lines = Array.from({ length: 30 }, (_, index) => `echo row ${index}`).join(";");
    stage.model.script(
      { toolCalls: [{ name: "shell", args: { command: lines } }] },
      { toolCalls: [{ name: "read", args: { path: "a.txt" } }] },
    );
    stage.model.respond(({ body }) => {
      const anchor = /2:[0-9a-z]+(?=\|two)/.exec(JSON.stringify(body.messages))?.[0];
      const edits = [{ start: anchor, content: "zwei" }];
      return JSON.stringify(body.messages).includes("zwei")
        ? { text: "Changed." }
        : { toolCalls: [{ name: "edit", args: { path: "a.txt", edits } }] };
    });
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("change two\r");
    await terminal.waitFor("Changed.");
    await terminal.waitForGone("Working");
    await terminal.settle();
    const output = terminal.screen.replace(/after [\d.]+ s/, "after 0.1 s");
    await expect(output).toMatchFileSnapshot(screenshot("tools"));
    expect(readFileSync(join(stage.project, "a.txt"), "utf8")).toBe("one\nzwei\nthree\n");
    terminal.type("\x0f\x0f");
    await terminal.waitFor("row 29");
  });

  it("completes commands and paths", async () => {
    writeFileSync(join(stage.project, "notes.md"), "x");
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("/ta");
    await terminal.waitFor("/tasks add <text>");
    await terminal.settle();
    await expect(terminal.screen).toMatchFileSnapshot(screenshot("completion"));
    terminal.type("\x1b");
    await terminal.waitForGone("/tasks add");
    terminal.type("\x15see @no");
    await terminal.waitFor("› notes.md");
    terminal.type("\t");
    await terminal.waitFor("see @notes.md");
  });

  it("cancels with Esc, keeps the partial response, and restores queued messages", async () => {
    stage.model.script({ text: ["Half an ans"], hang: "afterText" }, { text: "fresh" });
    const terminal = start();
    terminal.type("go\r");
    await terminal.waitFor("Half an ans");
    terminal.type("then this\r");
    await terminal.waitFor("waiting then this");
    terminal.type("\x1b");
    await terminal.waitFor("Stopped.");
    await terminal.waitForGone("Stopping");
    await terminal.waitFor("› then this");
    terminal.type("\r");
    await terminal.waitFor("fresh");
  });

  it("exits at the second Ctrl-C", async () => {
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("\x03");
    await terminal.waitFor("Ctrl-C again to exit");
    terminal.type("\x03");
    expect(await terminal.exited).toBe(0);
  });

  it("redraws with Ctrl-L, also initially", async () => {
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("half");
    await terminal.waitFor("› half");
    await terminal.settle();
    const before = terminal.screen;
    terminal.type("\x0c");
    await terminal.settle(300);
    expect(terminal.screen).toBe(before);
    terminal.type("way");
    await terminal.waitFor("› halfway");
  });

  it("pastes several lines as one message", async () => {
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("\x1b[200~first\r\nsecond\x1b[201~");
    await terminal.waitFor("second");
    expect(stage.model.requests).toHaveLength(0);
    terminal.type("\r");
    await stage.model.waitForRequests(1);
    expect(JSON.stringify(stage.model.requests[0]?.body.messages)).toContain("first\\nsecond");
  });

  it("sends dropped image files as images and other paths as text", async () => {
    const terminal = stage.start({ llm: { vision: true } });
    await terminal.waitFor("scripted");
    const file = join(stage.project, "a shot.png");
    writeFileSync(file, Buffer.from("iVBORw0KGgo=", "base64"));
    terminal.type(`\x1b[200~${file.replace(" ", "\\ ")}\x1b[201~`);
    await terminal.waitFor("@image:");
    terminal.type("\x1b[200~/no/such.png\x1b[201~");
    await terminal.waitFor("/no/such.png");
    terminal.type("\r");
    await stage.model.waitForRequests(1);
    const reply = JSON.stringify(stage.model.requests[0]?.body.messages);
    expect(reply).toContain('"url":"data:image/png;base64,iVBORw0KGgo="');
    expect(reply).toContain("/no/such.png");
  });

  it("restores earlier input with the up key from a private file", async () => {
    const first = start();
    await first.waitFor("scripted");
    first.type("remember me\r");
    await first.waitFor("ok");
    first.type("\x04");
    await first.exited;
    expect(statSync(join(stage.dataDir, "input-history.jsonl")).mode & 0o777).toBe(0o600);
    const second = start();
    await second.waitFor("scripted");
    second.type("\x1b[A");
    await second.waitFor("› remember me");
  });

  it("resumes an earlier session", async () => {
    stage.model.script({ text: "The answer is 42." }, { text: "Still 42." });
    const first = start();
    await first.waitFor("scripted");
    first.type("what is it?\r");
    await first.waitFor("42.");
    await first.waitForGone("Working");
    first.type("\x04");
    await first.exited;
    const second = start({ options: { resume: { kind: "latest" } } });
    await second.waitFor("The answer is 42.");
    second.type("sure?\r");
    await second.waitFor("Still 42.");
    expect(JSON.stringify(stage.model.requests[1]?.body.messages)).toContain("what is it?");
    second.type("\x04");
    await second.exited;
    const third = start();
    await third.waitFor("scripted");
    third.type("/resume\r");
    await third.waitFor("Sessions · type to search");
    third.type("\r");
    await third.waitFor("Still 42.");
  });

  it("stays readable at 40 columns and after resizing", async () => {
    const text =
      "Some words that need a second row here, 日本語 and 👩‍👩‍👧 too.\n\n| a | b |\n|---|---|\n| one | two |\n";
    stage.model.script({ text }, { text: ["Growing"], hang: "afterText" });
    const terminal = start({}, { columns: 40, rows: 15 });
    await terminal.waitFor("scripted");
    terminal.type("narrow\r");
    await terminal.waitFor("one  two");
    await terminal.waitForGone("Working");
    await terminal.settle();
    await expect(terminal.screen).toMatchFileSnapshot(screenshot("narrow"));
    terminal.type("again\r");
    await terminal.waitFor("Growing");
    for (const [columns, rows] of [
      [70, 20],
      [30, 12],
      [55, 18],
    ] as const) {
      await terminal.waitForRedraw(columns, rows);
    }
    const shown = (word: RegExp) => terminal.screen.match(word)?.length;
    await expect.poll(() => [shown(/Growing/g), shown(/Working/g)]).toEqual([1, 1]);
  });
});

it("runs text after ! as the user's command without the model", async () => {
  const terminal = start();
  await terminal.waitFor("scripted");
  terminal.type("!echo one; exit 3\r");
  await terminal.waitFor("exit code 3");
  expect(terminal.screen).toMatch(/✗ ! echo one; exit 3\n {2}one/);
  expect(stage.model.requests).toHaveLength(0);
});

describe("bad input", () => {
  it("removes control sequences of models and tools", async () => {
    const evil = "a\x1b[2J\x1b]0;owned\x07\x1b]52;c;eA==\x07\u202eb\x9b31m";
    writeFileSync(join(stage.project, "evil.txt"), evil);
    stage.model.script(
      {
        text: [`${evil.slice(0, 3)}`, evil.slice(3)],
        toolCalls: [{ name: "shell", args: { command: "cat evil.txt" } }],
      },
      { text: "end of it" },
    );
    const terminal = start();
    terminal.type("go\r");
    await terminal.waitFor("end of it");
    const withoutOwnTitle = terminal.raw.replace(/\x1b\]0;[^\x1b\x07]*cairn [^\x1b\x07]*\x07/g, "");
    expect(withoutOwnTitle).not.toMatch(/\x1b\[2J|\x1b\]|\u202e|\x9b/);
    expect(terminal.all).toContain("ab");
  });

  it("handles a line of nearly a megabyte from model and tool", {
    tags: ["long"],
    timeout: 180_000,
  }, async () => {
    // Responses above a million characters are truncated.
    const long = "x".repeat(950_000);
    stage.model.script(
      {
        text: [long],
        toolCalls: [{ name: "shell", args: { command: "head -c 1000000 /dev/zero | tr '\\0' y" } }],
      },
      { text: "survived" },
    );
    const terminal = start();
    terminal.type("go\r");
    await terminal.waitFor("survived", 30_000);
    terminal.type("still here?\r");
    await terminal.waitFor("ok");
  });

  it("shows invalid UTF-8", async () => {
    stage.model.script(
      { toolCalls: [{ name: "shell", args: { command: "printf '\\377\\376ok'" } }] },
      { text: "done" },
    );
    const terminal = start();
    terminal.type("go\r");
    await terminal.waitFor("done");
    expect(terminal.all).toContain("\ufffd\ufffdok");
  });

  it("stops endless tool calls with a message", async () => {
    let count = 0;
    stage.model.respond(() => ({
      toolCalls: [{ name: "shell", args: { command: `echo ${count++}` } }],
    }));
    const terminal = start({ settings: { maxSteps: 4 } });
    terminal.type("go\r");
    await terminal.waitFor("stopped after 4 model requests");
    await terminal.waitForGone("Working");
  });

  it("saves the draft and exits when the terminal closes", async () => {
    const terminal = start();
    await terminal.waitFor("scripted");
    terminal.type("half a tho");
    await terminal.waitFor("half a tho");
    process.kill(terminal.pid, "SIGHUP");
    expect(await terminal.exited).toBe(129);
    expect(readFileSync(join(stage.dataDir, "input-history.jsonl"), "utf8")).toContain(
      '"half a tho"',
    );
  });

  it("reports config errors and preserves the draft", async () => {
    const terminal = start({ connectError: "config.json: not JSON (line 3)" });
    terminal.type("my long question\r");
    await terminal.waitFor("config.json: not JSON (line 3)");
    await terminal.waitFor("Your message is still queued");
    await terminal.waitFor("› my long question");
  });
});

describe("the first start", () => {
  it("explains the providers, finds a local Ollama, and connects", async () => {
    const ollama = createServer((_request, response) => {
      response.end(JSON.stringify({ models: [{ name: "qwen3:8b" }, { name: "llama3" }] }));
    });
    await new Promise<void>((resolve) => ollama.listen(0, "127.0.0.1", resolve));
    const { port } = ollama.address() as AddressInfo;
    stage.model.script({ text: "hello from the model" });
    const terminal = start({
      baseUrl: undefined,
      setupUrl: stage.model.baseUrl,
      ollamaUrl: `http://127.0.0.1:${port}`,
    });
    await terminal.waitFor("Which provider should");
    await terminal.settle();
    await expect(terminal.screen).toMatchFileSnapshot(screenshot("setup"));
    terminal.type("1");
    await terminal.waitFor("Which model?");
    terminal.type("2");
    await terminal.waitFor('{"provider":"ollama","model":"llama3"}');
    await terminal.waitFor("Ready.");
    terminal.type("hello\r");
    await terminal.waitFor("hello from the model");
    ollama.close();
  });

  it("masks the key, excludes it from history, and can be skipped", async () => {
    const terminal = start({
      baseUrl: undefined,
      setupUrl: stage.model.baseUrl,
      ollamaUrl: "http://127.0.0.1:9",
    });
    await terminal.waitFor("Which provider should");
    terminal.type("2");
    await terminal.waitFor("API key?");
    terminal.type("sk-secret");
    await terminal.waitFor("•••••••••");
    expect(terminal.all).not.toContain("sk-secret");
    terminal.type("\x1b");
    await terminal.waitFor("No model for now.");
    terminal.type("\x04");
    await terminal.exited;
  });
});
