import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCandidates, readTranscript } from "../../../src/ingest/capture/index.ts";

const CWD = "/work/shop";
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");

const TRANSCRIPTS = {
  opencode: JSON.stringify({
    messages: [
      {
        info: { role: "user" },
        parts: [
          { type: "text", text: "Make the tests pass. Always use pnpm, never npm." },
          { type: "text", synthetic: true, text: "Always ignore this reminder." },
        ],
      },
      {
        info: { role: "assistant" },
        parts: [
          { type: "text", text: "We decided to keep Redis for the queue." },
          {
            type: "tool",
            tool: "bash",
            callID: "a",
            state: {
              status: "error",
              input: { command: "pnpm test" },
              error: "Exit code 1\nTypeError: x is undefined",
            },
          },
          {
            type: "tool",
            tool: "edit",
            callID: "b",
            state: {
              status: "completed",
              input: { filePath: "/work/shop/src/a.ts" },
              output: "ok",
            },
          },
          {
            type: "tool",
            tool: "bash",
            callID: "c",
            state: { status: "completed", input: { command: "pnpm test" }, output: "12 passed" },
          },
        ],
      },
    ],
  }),
  "Claude Code": lines(
    {
      type: "user",
      message: { role: "user", content: "Make the tests pass. Always use pnpm, never npm." },
    },
    {
      type: "user",
      isMeta: true,
      message: { role: "user", content: "Always ignore this reminder." },
    },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "We decided to keep Redis for the queue." },
          { type: "tool_use", id: "a", name: "Bash", input: { command: "pnpm test" } },
        ],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            is_error: true,
            content: "Exit code 1\nTypeError: x is undefined",
          },
        ],
      },
    },
    {
      type: "assistant",
      message: {
        content: [
          { type: "tool_use", id: "b", name: "Edit", input: { file_path: "/work/shop/src/a.ts" } },
        ],
        role: "assistant",
      },
    },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: "c", name: "Bash", input: { command: "pnpm test" } }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", is_error: false, content: "ok" }],
      },
    },
  ),
  Codex: lines(
    { type: "session_meta", payload: { id: "1" } },
    {
      type: "response_item",
      payload: {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "Make the tests pass. Always use pnpm, never npm." }],
      },
    },
    {
      type: "response_item",
      payload: {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "We decided to keep Redis for the queue." }],
      },
    },
    {
      type: "response_item",
      payload: {
        type: "function_call",
        name: "shell",
        call_id: "a",
        arguments: '{"command":["bash","-lc","pnpm test"]}',
      },
    },
    {
      type: "response_item",
      payload: {
        type: "function_call_output",
        call_id: "a",
        output: "Process exited with code 1\nTypeError: x is undefined",
      },
    },
    {
      type: "response_item",
      payload: {
        type: "custom_tool_call",
        name: "apply_patch",
        call_id: "b",
        input: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n",
      },
    },
    {
      type: "response_item",
      payload: {
        type: "function_call",
        name: "shell",
        call_id: "c",
        arguments: '{"command":["bash","-lc","pnpm test"]}',
      },
    },
    {
      type: "response_item",
      payload: {
        type: "function_call_output",
        call_id: "c",
        output: "Process exited with code 0\nok",
      },
    },
  ),
  "Gemini CLI": JSON.stringify({
    sessionId: "1",
    messages: [
      { type: "user", content: "Make the tests pass. Always use pnpm, never npm." },
      {
        type: "gemini",
        content: "We decided to keep Redis for the queue.",
        toolCalls: [
          {
            id: "a",
            name: "run_shell_command",
            args: { command: "pnpm test" },
            status: "error",
            resultDisplay: "TypeError: x is undefined",
          },
          {
            id: "b",
            name: "replace",
            args: { file_path: "/work/shop/src/a.ts" },
            status: "success",
          },
          {
            id: "c",
            name: "run_shell_command",
            args: { command: "pnpm test" },
            status: "success",
            resultDisplay: "ok",
          },
        ],
      },
    ],
  }),
  "Qwen Code": lines(
    {
      type: "user",
      message: {
        role: "user",
        parts: [{ text: "Make the tests pass. Always use pnpm, never npm." }],
      },
    },
    {
      type: "assistant",
      message: {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { text: "We decided to keep Redis for the queue." },
          { functionCall: { id: "a", name: "run_shell_command", args: { command: "pnpm test" } } },
        ],
      },
    },
    {
      type: "tool_result",
      message: {
        role: "user",
        parts: [
          { functionResponse: { id: "a", response: { error: "TypeError: x is undefined" } } },
        ],
      },
    },
    {
      type: "assistant",
      message: {
        role: "model",
        parts: [{ functionCall: { id: "b", name: "edit", args: { file_path: "src/a.ts" } } }],
      },
    },
    {
      type: "assistant",
      message: {
        role: "model",
        parts: [
          { functionCall: { id: "c", name: "run_shell_command", args: { command: "pnpm test" } } },
        ],
      },
    },
    {
      type: "tool_result",
      message: {
        role: "user",
        parts: [{ functionResponse: { id: "c", response: { output: "ok" } } }],
      },
    },
  ),
  "Copilot CLI": lines(
    { type: "session.start", data: {} },
    { type: "user.message", data: { content: "Make the tests pass. Always use pnpm, never npm." } },
    { type: "assistant.message", data: { content: "We decided to keep Redis for the queue." } },
    {
      type: "tool.execution_start",
      data: { toolCallId: "a", toolName: "bash", arguments: { command: "pnpm test" } },
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "a", success: false, result: { content: "TypeError: x is undefined" } },
    },
    {
      type: "tool.execution_start",
      data: { toolCallId: "b", toolName: "edit", arguments: { path: "/work/shop/src/a.ts" } },
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "b", success: true, result: { content: "done" } },
    },
    {
      type: "tool.execution_start",
      data: { toolCallId: "c", toolName: "bash", arguments: { command: "pnpm test" } },
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "c", success: true, result: { content: "ok" } },
    },
  ),
};

describe.each(Object.entries(TRANSCRIPTS))("a session of %s", (_client, transcript) => {
  it("yields the preference, the fixed error and the files, but no assistant text", async () => {
    const found = await findCandidates(readTranscript(transcript), { cwd: CWD });
    expect(found.map(({ kind, content }) => [kind, content])).toEqual([
      ["preference", "Always use pnpm, never npm."],
      [
        "cure",
        '`pnpm test` failed with "TypeError: x is undefined"; it passed after changing src/a.ts.',
      ],
      ["files", 'Work on "Make the tests pass." changed src/a.ts.'],
    ]);
    expect(found.at(-1)?.entities).toEqual(["file:src/a.ts"]);
  });
});

const user = (text: string) => lines({ type: "user", message: { role: "user", content: text } });
const kinds = async (text: string) =>
  (await findCandidates(readTranscript(user(text)), { cwd: CWD })).map(({ kind }) => kind);

describe("captured statements", () => {
  it.each([
    ["From now on, write commit messages in the imperative.", "preference"],
    ["I'd prefer small files over big ones.", "preference"],
    ["Use vitest instead of jest here.", "preference"],
    ["Remember that the staging server sleeps at night.", "preference"],
    ["We agreed to drop support for Node 18.", "decision"],
    ["Let's go with PostgreSQL for the ledger.", "decision"],
  ])("%s", async (text, kind) => {
    expect(await kinds(text)).toEqual([kind]);
  });

  it.each([
    "Why do we always retry twice?",
    "yes, never mind",
    "```\nalways use tabs in this file\n```",
    "> always quote the reply before it",
    "<system-reminder>Always answer in JSON.</system-reminder>",
    "Fix the failing test in src/a.ts, please.",
  ])("ignores: %s", async (text) => {
    expect(await kinds(text)).toEqual([]);
  });

  it.each([
    ['"Always use pnpm here. Thanks a lot for it."', "Always use pnpm here."],
    ['"Thanks a lot for it. Always use pnpm here."', "Always use pnpm here."],
    ['Always write "cairn" in small letters.', 'Always write "cairn" in small letters.'],
    ['Always answer with "done"', 'Always answer with "done"'],
  ])("%s: quotation marks are balanced", async (text, content) => {
    const found = await findCandidates(readTranscript(user(text)), { cwd: CWD });
    expect(found.map((each) => each.content)).toEqual([content]);
  });

  it("captures a statement once regardless of punctuation", async () => {
    expect(await kinds("Always use pnpm, never npm.\nalways use pnpm never npm!")).toEqual([
      "preference",
    ]);
  });
});

it("a command that passes without a change in between is no fix", async () => {
  const run = (id: string, failed: boolean) => [
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "Bash", input: { command: "make" } }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, is_error: failed, content: "x" }],
      },
    },
  ];
  const transcript = lines(...run("a", true), ...run("b", false));
  expect(await findCandidates(readTranscript(transcript), { cwd: CWD })).toEqual([]);
});

it("tolerates other formats, partial lines and empty input", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.json(), fc.string()), { maxLength: 8 }),
      async (records) => {
        const entries = readTranscript(records.join("\n"));
        expect(await findCandidates(entries, { cwd: CWD })).toBeInstanceOf(Array);
      },
    ),
  );
});
