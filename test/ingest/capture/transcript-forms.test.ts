import { describe, expect, it } from "vitest";
import { readTranscript } from "../../../src/ingest/capture/index.ts";
import { readTranscriptRecords } from "../../../src/ingest/capture/read-transcript.ts";
import { extractTypedText } from "../../../src/ingest/capture/typed-text.ts";

const lines = (...records: readonly (object | string)[]) =>
  records.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
const said = (text: string) =>
  readTranscript(text).flatMap((entry) =>
    entry.kind === "said" ? [`${entry.by}: ${entry.text}`] : [],
  );
const claude = (type: string, content: unknown, more: object = {}) => ({
  ...{ type, message: { role: type, content }, ...more },
});

describe("speaker", () => {
  it.each([
    ["a sidechain", claude("user", "x", { isSidechain: true })],
    ["meta text", claude("user", "x", { isMeta: true })],
    ["a compaction summary", claude("user", "x", { isCompactSummary: true })],
    ["a request to the model", { ...claude("user", "x"), type: "api-request-blob" }],
    ["a teammate", claude("user", "x", { origin: { kind: "teammate" } })],
    [
      "a task notification",
      {
        type: "attachment",
        attachment: { type: "queued_command", prompt: "x", commandMode: "task-notification" },
      },
    ],
    [
      "a summary of opencode",
      { info: { role: "user", summary: true }, parts: [{ type: "text", text: "x" }] },
    ],
    [
      "synthetic text of opencode",
      { info: { role: "user" }, parts: [{ type: "text", text: "x", synthetic: true }] },
    ],
    [
      "a subagent of Copilot",
      { type: "user.message", data: { content: "x", parentToolCallId: "t" } },
    ],
    ["text that Goose hides", { role: "user", content: "x", metadata: { userVisible: false } }],
    [
      "a developer message of Codex",
      { type: "response_item", payload: { type: "message", role: "developer", content: "x" } },
    ],
    ["an unknown record", { type: "system", content: "x" }],
  ])("nobody: %s", (_, record) => expect(said(lines(record))).toEqual([]));

  it("is the user for messages typed during a turn", () => {
    const queued = { type: "queued_command", prompt: "Use pnpm.", commandMode: "prompt" };
    const taken = { type: "queue-operation", operation: "remove", content: "Use tabs." };
    expect(
      said(
        lines(
          { type: "attachment", attachment: queued },
          { ...taken, reason: "absorbed_mid_turn" },
          { ...taken, reason: "cancelled" },
        ),
      ),
    ).toEqual(["user: Use pnpm.", "user: Use tabs."]);
  });

  it("is nobody in a Codex subagent's session", () => {
    const meta = { type: "session_meta", payload: { id: "s", source: { subagent: "review" } } };
    const message = { type: "message", role: "user", content: "From now on use X." };
    expect(said(lines(meta, { type: "response_item", payload: message }))).toEqual([]);
  });
});

describe("reverted turns", () => {
  it("do not count after a rewind", () => {
    const at = (uuid: string, parentUuid: string | null) => ({ uuid, parentUuid });
    expect(
      said(
        lines(
          claude("user", "Hi.", at("a", null)),
          claude("assistant", "Hi.", at("b", "a")),
          claude("user", "Use Kafka.", at("c", "b")),
          claude("assistant", "Kafka it is.", at("d", "c")),
          claude("user", "Use NATS.", at("e", "b")),
        ),
      ),
    ).toEqual(["user: Hi.", "assistant: Hi.", "user: Use NATS."]);
  });

  it("do not count after a rollback of Codex", () => {
    const message = (role: string, text: string) => ({
      type: "response_item",
      payload: { type: "message", role, content: [{ type: "text", text }] },
    });
    const rolledBack = { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } };
    expect(
      said(
        lines(
          message("user", "One."),
          message("user", "Two."),
          message("assistant", "2"),
          rolledBack,
        ),
      ),
    ).toEqual(["user: One."]);
  });

  it("count once when a resumed session repeats a record", () => {
    const record = claude("user", "Hi.", { uuid: "a" });
    expect(said(lines(record, record))).toEqual(["user: Hi."]);
  });
});

describe("text inserted by clients and cairn", () => {
  const BLOCK = '<cairn-memory database="x">\n- “Use pnpm.” (ep:1, user)\n</cairn-memory>';
  const escaped = BLOCK.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  it.each([
    BLOCK,
    escaped,
    `<system-reminder>\n${BLOCK}\n</system-reminder>`,
    `<qwen:user-prompt-submit-context>${escaped}</qwen:user-prompt-submit-context>`,
    `> ${BLOCK.replaceAll("\n", "\n> ")}`,
    "- “Use pnpm.” (ep:1, user, 2026-03-04)",
    "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
    "<hook_context>unfinished",
  ])("is removed: %s", (inserted) => {
    expect(
      extractTypedText(`${inserted}\n\nPlease continue.`.replace(/^(<hook_context>.*)$/s, "$1")),
    ).toMatch(/^(?:>\s*)?(?:Please continue\.)?$/);
  });

  const FILE = "We always deploy from the main branch.";
  it.each([
    ["Cursor", `<timestamp>Friday</timestamp>\n<user_query>\nUse pnpm.\n</user_query>`],
    [
      "Cursor",
      `<additional_data>\n${FILE}\n</additional_data>\n<user_query>Use pnpm.</user_query>`,
    ],
    [
      "Codex",
      `# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nUse pnpm.\n<image name=[Image #1]>\n</image>`,
    ],
    ["Codex", `<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>\nUse pnpm.`],
    [
      "Cline",
      `<task>\nUse pnpm.\n</task>\n<file_content path="a.md">\n${FILE}\n</file_content>\n<git_working_state>x</git_working_state>`,
    ],
    [
      "Gemini CLI",
      `Use pnpm.\n\n--- Content from referenced files ---\n\nContent from @a.md:\n\n${FILE}\n\n--- End of content ---`,
    ],
    ["Gemini CLI", `Use pnpm.\n\n--- Content from referenced files ---\n\n${FILE}`],
    ["Claude Code", "<user-memory-input>Use pnpm.</user-memory-input>"],
  ])("leaves what the user typed in %s: %j", (_client, text) => {
    expect(extractTypedText(text)).toBe("Use pnpm.");
  });

  it.each([
    "I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```",
    "Implement the following plan:\n\n# Plan\n\nUse pnpm.",
  ])("is nobody's as a whole message: %j", (text) => {
    expect(extractTypedText(text)).toBe("");
  });

  it("preserves typed placeholders", () => {
    const text = "The path is /users/<user_id>/orders, and <db_name> comes from the environment.";
    expect(extractTypedText(text)).toBe(text);
  });

  it("is recognized across the parts of a Qwen Code message", () => {
    const parts = [
      { text: "Use pnpm." },
      { text: "\n--- Content from referenced files ---" },
      { text: FILE },
      { text: "\n--- End of content ---" },
    ];
    expect(said(lines({ type: "user", message: { role: "user", parts } }))).toEqual([
      "user: Use pnpm.",
    ]);
  });

  it("preserves typed markup", () => {
    const text = "Put the <Message> component into a <div class='x'> please.";
    expect(extractTypedText(text)).toBe(text);
  });

  it("takes linear time", () => {
    const began = performance.now();
    extractTypedText("<system-reminder>".repeat(20_000));
    extractTypedText("<a-context ".repeat(20_000));
    extractTypedText("<a_b>".repeat(20_000));
    extractTypedText(Array.from({ length: 20_000 }, (_, n) => `<a_${n}>`).join(""));
    extractTypedText("<user_query>".repeat(20_000));
    extractTypedText("--- Content from referenced files ---\n".repeat(20_000));
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("damaged transcripts", () => {
  const record = (text: string) => JSON.stringify(claude("user", text));
  it("yield readable records and count damaged ones", () => {
    const text = [
      `\uFEFF${record("One.")}`,
      `${record("Two.")}${"\0".repeat(9_000)}`,
      "\0".repeat(400),
      `${record("stub").slice(0, 40)}${record("Three.")}`,
      `${record("Four.")}${record("Five.")}`,
      "not json at all",
      record("Six.").slice(0, 30),
      record("Seven \ud83d."),
    ].join("\r");
    expect(said(text)).toEqual(
      ["One.", "Two.", "Three.", "Four.", "Five.", "Seven \uFFFD."].map((one) => `user: ${one}`),
    );
    expect(readTranscriptRecords(text).damaged).toBe(4);
  });
});

describe("a time that a timestamp cannot express", () => {
  it.each([
    1e15,
    8.7e15,
    "+010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "2026-02-30T99:00:00Z",
  ])("is ignored: %s", (timestamp) => {
    const [entry] = readTranscript(lines(claude("user", "Use pnpm.", { timestamp })));
    expect(entry).toMatchObject({ kind: "said", text: "Use pnpm." });
    expect(entry).not.toHaveProperty("at");
  });
});
