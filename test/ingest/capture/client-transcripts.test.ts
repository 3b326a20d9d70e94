import { describe, expect, it } from "vitest";
import { readTranscriptRecords } from "../../../src/ingest/capture/read-transcript.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Builds the records of a session in one client's format. */
interface Form {
  readonly header?: Fields;
  user(text: string, id: string, after?: string): Fields;
  assistant(text: string, id: string, after?: string): Fields;
  /** A model's prompts to a subagent; undefined if they are stored in a separate file. */
  subagent?(text: string): readonly Fields[];
  readonly subagentHeader?: Fields;
  queued?(text: string): readonly Fields[];
  /** Removes all messages from this one on; the next message follows `before`. */
  rewind?(to: string): readonly Fields[];
  readonly injected: readonly Fields[];
}

const texts = (type: string, text: string) => [{ type, text }];
const claude = (
  role: string,
  content: unknown,
  uuid: string,
  parentUuid: string | null = null,
) => ({
  ...{ type: role, uuid, parentUuid, sessionId: "s" },
  message: { role, content },
});
const codex = (role: string, text: string) => ({
  type: "response_item",
  payload: { type: "message", role, content: texts("input_text", text) },
});
const qwen = (type: string, text: string, uuid: string, parentUuid: string | null = null) => ({
  ...{ type, uuid, parentUuid, sessionId: "s" },
  message: { role: type === "user" ? "user" : "model", parts: [{ text }] },
});
const copilot = (type: string, id: string, data: Fields) => ({ type, id, data });
const opencode = (role: string, text: string, id: string, part: Fields = {}) => ({
  info: { role, id },
  parts: [{ type: "text", text, ...part }],
});
const bare = (role: string, text: string) => ({ role, content: texts("text", text) });

const FORMS: Readonly<Record<string, Form>> = {
  "Claude Code": {
    user: (text, id, after) => claude("user", text, id, after),
    assistant: (text, id, after) => claude("assistant", texts("text", text), id, after),
    subagent: (text) => [{ ...claude("user", text, "side"), isSidechain: true }],
    queued: (text) => [
      { type: "queue-operation", operation: "enqueue", content: text },
      { type: "attachment", attachment: { type: "queued_command", prompt: text } },
    ],
    rewind: () => [],
    injected: [
      claude("user", "<command-name>/model</command-name>", "i1", "a1"),
      claude("user", "<local-command-stdout>Set.</local-command-stdout>", "i2", "i1"),
      { ...claude("user", "Caveat: from now on.", "i3", "i2"), isMeta: true },
      { ...claude("user", "Summary: we use X.", "i4", "i3"), isCompactSummary: true },
      { ...claude("user", "From a teammate.", "i5", "i4"), origin: { kind: "teammate" } },
    ],
  },
  Codex: {
    header: { type: "session_meta", payload: { id: "s" } },
    user: (text) => codex("user", text),
    assistant: (text) => codex("assistant", text),
    subagentHeader: { type: "session_meta", payload: { id: "t", source: { subagent: {} } } },
    queued: (text) => [codex("user", text)],
    rewind: () => [{ type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } }],
    injected: [
      codex("developer", "Always be brief."),
      codex("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
      codex("user", "# AGENTS.md instructions for /x\n\nUse pnpm."),
      { type: "compacted", payload: { message: "Summary: we use X." } },
    ],
  },
  "Gemini CLI": {
    header: { sessionId: "s", projectHash: "h" },
    user: (text, id) => ({ id, type: "user", content: [{ text }] }),
    assistant: (text, id) => ({ id, type: "gemini", content: text }),
    subagentHeader: { sessionId: "t", projectHash: "h", kind: "subagent" },
    queued: (text) => [{ id: "q", type: "user", content: [{ text }] }],
    rewind: (to) => [{ $rewindTo: to }],
    injected: [
      { id: "i1", type: "info", content: "Update available." },
      { id: "i2", type: "user", content: "<hook_context>Use X.</hook_context>" },
      { $set: { messages: [{ id: "i3", type: "user", content: "Use X." }] } },
    ],
  },
  "Qwen Code": {
    user: (text, id, after) => qwen("user", text, id, after),
    assistant: (text, id, after) => qwen("assistant", text, id, after),
    subagent: (text) => [{ ...qwen("user", text, "side"), isSidechain: true }],
    queued: (text) => [qwen("user", text, "q", "a1")],
    rewind: () => [],
    injected: [
      qwen("system", "Use X.", "i1", "a1"),
      qwen(
        "user",
        "<qwen:user-prompt-submit-context>X</qwen:user-prompt-submit-context>",
        "i2",
        "i1",
      ),
    ],
  },
  opencode: {
    user: (text, id) => opencode("user", text, id),
    assistant: (text, id) => opencode("assistant", text, id),
    queued: (text) => [opencode("user", text, "q")],
    injected: [
      opencode("user", "Use X.", "i1", { synthetic: true }),
      opencode("user", "Use X.", "i2", { ignored: true }),
      { info: { role: "assistant", id: "i3", summary: true }, parts: texts("text", "We use X.") },
    ],
  },
  "Copilot CLI": {
    header: copilot("session.start", "h", { sessionId: "s" }),
    user: (content, id) => copilot("user.message", id, { content, source: "user" }),
    assistant: (content, id) => copilot("assistant.message", id, { content }),
    subagent: (content) => [copilot("user.message", "side", { content, parentToolCallId: "t" })],
    queued: (content) => [copilot("user.message", "q", { content })],
    rewind: (to) => [copilot("session.snapshot_rewind", "r", { upToEventId: to })],
    injected: [
      copilot("system.message", "i1", { content: "Use X." }),
      copilot("user.message", "i2", { content: "Use X.", source: "skill-pdf" }),
      copilot("session.compaction_complete", "i3", { summaryContent: "We use X." }),
    ],
  },
  Cursor: {
    user: (text) => ({ role: "user", message: { content: texts("text", text) } }),
    assistant: (text) => ({ role: "assistant", message: { content: texts("text", text) } }),
    queued: (text) => [{ role: "user", message: { content: texts("text", text) } }],
    injected: [
      {
        role: "user",
        message: {
          content: texts(
            "text",
            "<open_and_recently_viewed_files>a.ts</open_and_recently_viewed_files>",
          ),
        },
      },
    ],
  },
  Goose: {
    header: { working_dir: "/x", description: "s" },
    user: (text) => bare("user", text),
    assistant: (text) => bare("assistant", text),
    queued: (text) => [bare("user", text)],
    injected: [
      { ...bare("user", "We use X."), metadata: { userVisible: false, agentVisible: true } },
      bare("user", "<info-msg>It is currently 2026.</info-msg>"),
    ],
  },
  Cline: {
    user: (text) => bare("user", `<task>\n${text}\n</task>`),
    assistant: (text) => bare("assistant", text),
    queued: (text) => [bare("user", `<user_message>\n${text}\n</user_message>`)],
    injected: [
      bare("user", "<environment_details>\n# Current Mode\nACT\n</environment_details>"),
      bare("user", "[ERROR] You did not use a tool in your previous response!"),
      bare("user", "[read_file for 'a.ts'] Result:\nUse X."),
    ],
  },
};

function saidIn(form: Form, records: readonly Fields[], header = form.header): string[] {
  const text = [...(header === undefined ? [] : [header]), ...records]
    .map((record) => JSON.stringify(record))
    .join("\n");
  return readTranscriptRecords(text).records.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === "said" ? [`${entry.by}: ${entry.text}`] : [])),
  );
}

const FIRST = ["user: Use tabs.", "assistant: Tabs."];

describe.each(Object.entries(FORMS))("a session of %s", (_client, form) => {
  const first = [form.user("Use tabs.", "u1"), form.assistant("Tabs.", "a1", "u1")];

  it("contains what user and assistant said", () => {
    expect(saidIn(form, first)).toEqual(FIRST);
  });

  it("excludes prompts to subagents", () => {
    if (form.subagentHeader !== undefined) {
      expect(saidIn(form, first, form.subagentHeader)).toEqual([]);
    }
    expect(saidIn(form, [...first, ...(form.subagent?.("Use X.") ?? [])])).toEqual(FIRST);
  });

  it("contains a message typed during a turn once", () => {
    const records = [...first, ...(form.queued?.("Use two spaces.") ?? [])];
    expect(saidIn(form, records)).toEqual([...FIRST, "user: Use two spaces."]);
  });

  it("contains records repeated by a resumed session once, if they have ids", () => {
    const hasIds = readTranscriptRecords(
      first.map((one) => JSON.stringify(one)).join("\n"),
    ).records.every(({ id }) => id !== undefined);
    expect(saidIn(form, [...first, ...first])).toEqual(hasIds ? FIRST : [...FIRST, ...FIRST]);
  });

  it("excludes text inserted by the client", () => {
    expect(saidIn(form, [...first, ...form.injected])).toEqual(FIRST);
  });

  it.runIf(form.rewind !== undefined)("excludes a reverted turn", () => {
    const later = [
      form.user("Use Kafka.", "u2", "a1"),
      form.assistant("Kafka.", "a2", "u2"),
      ...(form.rewind?.("u2") ?? []),
      form.user("Use NATS.", "u3", "a1"),
    ];
    expect(saidIn(form, [...first, ...later])).toEqual([...FIRST, "user: Use NATS."]);
  });

  it.runIf(form.rewind !== undefined)("excludes a reverted first turn", () => {
    const records = [
      ...first,
      ...(form.rewind?.("u1") ?? []),
      form.user("Use NATS.", "u2"),
      form.assistant("NATS.", "a2", "u2"),
    ];
    expect(saidIn(form, records)).toEqual(["user: Use NATS.", "assistant: NATS."]);
  });

  it.runIf(form.rewind !== undefined)("excludes a turn reverted in a part read later", () => {
    const part = [
      form.user("Use Kafka.", "u2", "a1"),
      ...(form.rewind?.("u2") ?? []),
      form.user("Use NATS.", "u3", "a1"),
    ];
    expect(saidIn(form, part, form.header)).toEqual(["user: Use NATS."]);
  });
});

it("uses the latest version of a message that Gemini CLI rewrites", () => {
  const call = { id: "c", name: "run_shell_command", args: { command: "ls" }, status: "success" };
  const message = { id: "a1", type: "gemini", content: "I look." };
  const text = [message, { ...message, toolCalls: [call] }].map((one) => JSON.stringify(one));
  const { records } = readTranscriptRecords(text.join("\n"));
  expect(records.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
    "said",
    "call",
    "result",
  ]);
});
