import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import zlib from "node:zlib";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import {
  readSessions,
  SESSION_FOLDERS,
  type SkippedSession,
  type SourceBatch,
} from "../../../src/ingest/sources/index.ts";

const PROJECT = "/work/shop";
const OTHER = "/work/other";
const AT = Date.parse("2026-03-01T09:00:00Z");

interface Machine {
  readonly home: string;
  write(path: string, content: unknown): void;
  database(path: string, statements: readonly (readonly [string, ...unknown[]])[]): void;
}

function createMachine(): Machine {
  const home = mkdtempSync(join(tmpdir(), "cairn-clients-"));
  const made = (path: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    return join(home, path);
  };
  return {
    home,
    write(path, content) {
      writeFileSync(made(path), typeof content === "string" ? content : JSON.stringify(content));
    },
    database(path, statements) {
      const database = new Database(made(path));
      for (const [statement, ...values] of statements) database.prepare(statement).run(...values);
      database.close();
    },
  };
}

async function readOf({ home }: Machine, client: string) {
  const env = {
    APPDATA: join(home, ".config"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
  };
  const places = SESSION_FOLDERS[client]?.({ home, env, project: PROJECT }) ?? [];
  const batches: SourceBatch[] = [];
  const skipped: SkippedSession[] = [];
  const expected = { client, within: PROJECT, cwd: PROJECT };
  const there = places.filter(({ folder }) => folder.startsWith(home));
  for (const place of there) {
    const read = readSessions({
      ...{ ...expected, places: [place] },
      onSkipped: (one) => skipped.push(one),
    });
    try {
      for await (const batch of read) batches.push(batch);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return { batches, skipped };
}

const said = ({ passages }: SourceBatch) =>
  passages.map(({ by, role, text }) => [by, role, text] as const);

const SAID = [
  ["user", "turn", "Cap the retries at seven"],
  ["assistant", "turn", "Settled: seven attempts."],
  ["assistant", "tool", "Changed src/retry.ts."],
];

/** Cline 3 format: one list of Anthropic messages. */
function clineTask(on: Machine, id: string, cwd: string | undefined): void {
  const output =
    cwd === undefined ? "" : `\n# Current Working Directory (${cwd}) Files\nsrc/a.ts\n`;
  const folder = `.cline/data/tasks/${id}`;
  on.write(`${folder}/ui_messages.json`, "[]");
  on.write(`${folder}/api_conversation_history.json`, [
    {
      role: "user",
      content: [
        { type: "text", text: "<task>\nCap the retries at seven\n</task>" },
        { type: "text", text: `<environment_details>${output}</environment_details>` },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Settled: seven attempts." },
        {
          ...{ type: "tool_use", id: "t1", name: "write_to_file" },
          input: { path: "src/retry.ts", content: "" },
        },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "Saved." }] },
  ]);
}

it("reads Cline tasks of the project and reports one without a folder", async () => {
  const on = createMachine();
  clineTask(on, "1772355600000", PROJECT);
  clineTask(on, "1772355700000", OTHER);
  clineTask(on, "1772355800000", undefined);
  const { batches, skipped } = await readOf(on, "cline");
  expect(batches).toMatchObject([{ kind: "cline", key: "1772355600000", place: PROJECT }]);
  expect(batches.map(said)).toEqual([SAID]);
  expect(skipped).toMatchObject([{ reason: "no folder" }]);
});

const codexSession = (id: string, text: string) =>
  [
    { type: "session_meta", payload: { id, cwd: PROJECT } },
    {
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");

function zstdFrame(text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(12);
  header.writeUInt32LE(0xfd2fb528, 0);
  header.writeUInt8(0xa0, 4);
  header.writeUInt32LE(content.length, 5);
  header.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([header, content]);
}

it("reads archived sessions of Codex, and compressed ones or names them", async () => {
  const on = createMachine();
  on.write(".codex/sessions/2026/03/01/rollout-1.jsonl", codexSession("one", "Use tabs"));
  on.write(".codex/archived_sessions/rollout-2.jsonl", codexSession("two", "Use spaces"));
  const packed = join(on.home, ".codex/sessions/2026/03/01/rollout-3.jsonl.zst");
  writeFileSync(packed, zstdFrame(codexSession("three", "Use semicolons")));
  const { batches, skipped } = await readOf(on, "codex");
  const canUnpack = "zstdDecompress" in zlib;
  expect(batches.map(({ key }) => key).sort()).toEqual(
    canUnpack ? ["one", "three", "two"] : ["one", "two"],
  );
  expect(skipped).toEqual(canUnpack ? [] : [{ path: packed, reason: "compressed" }]);
});

it("names a compressed session of Codex that is damaged", async () => {
  const on = createMachine();
  on.write(".codex/sessions/rollout-1.jsonl.zst", "not compressed");
  const { batches, skipped } = await readOf(on, "codex");
  expect(batches).toEqual([]);
  const reason = "zstdDecompress" in zlib ? "unreadable" : "compressed";
  expect(skipped).toMatchObject([{ reason }]);
});

const tool = (name: string, input: object) => ({
  ...{ type: "tool", callID: "c1", tool: name },
  state: { status: "completed", input, output: "ok" },
});

it("reads opencode's database without subagent sessions", async () => {
  const on = createMachine();
  const session = "insert into session values (?, ?, ?, ?)";
  const message = "insert into message values (?, ?, ?)";
  const part = "insert into part values (?, ?, ?, ?)";
  on.database(".local/share/opencode/opencode.db", [
    ["create table session (id text, parent_id text, title text, directory text)"],
    ["create table message (id text, session_id text, data text)"],
    ["create table part (id text, message_id text, session_id text, data text)"],
    [session, "ses_1", null, "Retries", PROJECT],
    [session, "ses_2", "ses_1", "Look around", PROJECT],
    [session, "ses_3", null, "Elsewhere", OTHER],
    [message, "msg_1", "ses_1", JSON.stringify({ role: "user", time: { created: AT } })],
    [message, "msg_2", "ses_1", JSON.stringify({ role: "assistant", time: { created: AT } })],
    [message, "msg_3", "ses_2", JSON.stringify({ role: "user" })],
    [message, "msg_4", "ses_3", JSON.stringify({ role: "user" })],
    [part, "prt_1", "msg_1", "ses_1", JSON.stringify({ type: "text", text: SAID[0]?.[2] })],
    [part, "prt_2", "msg_2", "ses_1", JSON.stringify({ type: "text", text: SAID[1]?.[2] })],
    [
      ...([part, "prt_3", "msg_2", "ses_1"] as const),
      JSON.stringify(tool("edit", { filePath: `${PROJECT}/src/retry.ts` })),
    ],
    [part, "prt_4", "msg_3", "ses_2", JSON.stringify({ type: "text", text: "Look around." })],
    [part, "prt_5", "msg_4", "ses_3", JSON.stringify({ type: "text", text: "Not of here." })],
  ]);
  const { batches } = await readOf(on, "opencode");
  expect(batches).toMatchObject([{ kind: "opencode", key: "ses_1", title: "Retries" }]);
  expect(batches.map(said)).toEqual([SAID]);
  // Same keys as the plugin, so that both produce the same passages.
  expect(batches[0]?.passages[0]).toMatchObject({
    ...{ key: "msg_1", occurred_at: new Date(AT).toISOString() },
  });
});

it("reads opencode's older file storage", async () => {
  const on = createMachine();
  const storage = ".local/share/opencode/storage";
  const revert = { messageID: "msg_3" };
  on.write(`${storage}/session/abc/ses_1.json`, {
    ...{ id: "ses_1", directory: PROJECT, title: "Old", revert },
  });
  on.write(`${storage}/message/ses_1/msg_3.json`, { id: "msg_3", role: "user" });
  on.write(`${storage}/part/msg_3/prt_1.json`, { type: "text", text: "Taken back." });
  on.write(`${storage}/session/abc/ses_2.json`, { id: "ses_2", directory: OTHER, title: "Other" });
  on.write(`${storage}/message/ses_1/msg_1.json`, { id: "msg_1", role: "user" });
  on.write(`${storage}/message/ses_1/msg_2.json`, { id: "msg_2", role: "assistant" });
  on.write(`${storage}/part/msg_1/prt_1.json`, { type: "text", text: SAID[0]?.[2] });
  on.write(`${storage}/part/msg_2/prt_1.json`, { type: "text", text: SAID[1]?.[2] });
  on.write(
    `${storage}/part/msg_2/prt_2.json`,
    tool("write", { filePath: `${PROJECT}/src/retry.ts` }),
  );
  const { batches } = await readOf(on, "opencode");
  expect(batches).toMatchObject([{ key: "ses_1", title: "Old", place: PROJECT }]);
  expect(batches.map(said)).toEqual([SAID]);
});

const gooseMessages = [
  ["user", [{ type: "text", text: SAID[0]?.[2] }]],
  [
    "assistant",
    [
      { type: "text", text: SAID[1]?.[2] },
      {
        ...{ type: "toolRequest", id: "t1" },
        toolCall: {
          status: "success",
          value: {
            name: "developer__text_editor",
            arguments: { command: "write", path: `${PROJECT}/src/retry.ts` },
          },
        },
      },
    ],
  ],
  [
    "user",
    [
      {
        ...{ type: "toolResponse", id: "t1" },
        toolResult: { status: "success", value: { content: [{ type: "text", text: "ok" }] } },
      },
    ],
  ],
] as const;

it("reads Goose's database and older files", async () => {
  const on = createMachine();
  const session = "insert into sessions (id, description, working_dir) values (?, ?, ?)";
  const message =
    "insert into messages (session_id, role, content_json, created_timestamp) values (?, ?, ?, ?)";
  const subagent = "insert into sessions values (?, ?, ?, 'sub_agent')";
  on.database(".local/share/goose/sessions/sessions.db", [
    [
      "create table sessions (id text primary key, description text, working_dir text, session_type text default 'user')",
    ],
    [
      "create table messages (id integer primary key, session_id text, role text, content_json text, created_timestamp integer)",
    ],
    [session, "20260301_1", "Retries", PROJECT],
    [session, "20260301_2", "Elsewhere", OTHER],
    [subagent, "20260301_3", "Look around", PROJECT],
    [message, "20260301_3", "user", JSON.stringify(gooseMessages[0][1]), AT / 1000],
    ...gooseMessages.map(
      ([role, content]) =>
        [message, "20260301_1", role, JSON.stringify(content), AT / 1000] as const,
    ),
    [message, "20260301_2", "user", JSON.stringify(gooseMessages[0][1]), AT / 1000],
  ]);
  const { batches } = await readOf(on, "goose");
  expect(batches).toMatchObject([{ kind: "goose", key: "20260301_1", title: "Retries" }]);
  expect(batches.map(said)).toEqual([SAID]);
  expect(batches[0]?.passages[0]?.occurred_at).toBe(new Date(AT).toISOString());

  const before = createMachine();
  const lines = [
    { working_dir: PROJECT, description: "Retries", message_count: 3 },
    ...gooseMessages.map(([role, content]) => ({ role, created: AT / 1000, content })),
  ].map((record) => `${JSON.stringify(record)}\n`);
  before.write(".local/share/goose/sessions/20250301_090000.jsonl", lines.join(""));
  const older = await readOf(before, "goose");
  expect(older.batches).toMatchObject([{ key: "20250301_090000", place: PROJECT }]);
  expect(older.batches.map(said)).toEqual([SAID]);
});

const EDITORS = process.platform === "darwin" ? "Library/Application Support" : ".config";

it("reads Cursor's conversations, preferring transcripts", async () => {
  const on = createMachine();
  const put = "insert into cursorDiskKV values (?, ?)";
  const bubble = (id: string, fields: object) =>
    [put, `bubbleId:${id}`, Buffer.from(JSON.stringify(fields))] as const;
  const composer = (id: string, bubbles: readonly string[], more: object = {}) =>
    [
      ...([put, `composerData:${id}`] as const),
      JSON.stringify({
        ...{ composerId: id, name: "Retries", createdAt: AT, ...more },
        fullConversationHeadersOnly: bubbles.map((bubbleId) => ({ bubbleId })),
      }),
    ] as const;
  on.database(`${EDITORS}/Cursor/User/globalStorage/state.vscdb`, [
    ["create table cursorDiskKV (key text unique, value blob)"],
    composer("one", ["a", "b", "c"]),
    bubble("one:a", { type: 1, text: SAID[0]?.[2] }),
    bubble("one:b", { type: 2, text: SAID[1]?.[2] }),
    bubble("one:c", {
      ...{ type: 2, text: "" },
      toolFormerData: {
        ...{ name: "edit_file_v2", status: "completed", result: "{}" },
        rawArgs: JSON.stringify({ target_file: `${PROJECT}/src/retry.ts` }),
      },
    }),
    composer("two", ["a"]),
    bubble("two:a", { type: 1, text: "Not of here." }),
    composer("three", ["a"]),
    bubble("three:a", { type: 1, text: "This is in a transcript too." }),
    composer("five", ["a"], { subagentInfo: { parentComposerId: "one" } }),
    bubble("five:a", { type: 1, text: "What the model wrote to its subagent." }),
    composer("four", ["a"]),
    bubble("four:a", { type: 1, text: "Of a window without a folder." }),
  ]);
  for (const [folder, ids] of [
    [PROJECT, ["one", "three", "five"]],
    [OTHER, ["two"]],
  ] as const) {
    const path = `${EDITORS}/Cursor/User/workspaceStorage/${folder.replaceAll("/", "")}`;
    on.write(`${path}/workspace.json`, { folder: `file://${folder}` });
    on.database(`${path}/state.vscdb`, [
      ["create table ItemTable (key text unique, value blob)"],
      [
        "insert into ItemTable values ('composer.composerData', ?)",
        JSON.stringify({ allComposers: ids.map((composerId) => ({ composerId })) }),
      ],
    ]);
  }
  on.write(
    ".cursor/projects/work-shop/agent-transcripts/three/three.jsonl",
    `${JSON.stringify({
      role: "user",
      message: { content: [{ type: "text", text: "This is in a transcript too." }] },
    })}\n`,
  );
  on.write(
    ".cursor/projects/work-shop/agent-transcripts/three/subagents/six.jsonl",
    `${JSON.stringify({ role: "user", message: { content: "Look around." } })}\n`,
  );
  const { batches, skipped } = await readOf(on, "cursor");
  expect(batches).toMatchObject([
    { kind: "cursor", key: "three" },
    { kind: "cursor", key: "one", title: "Retries", place: PROJECT },
  ]);
  expect(batches.slice(1).map(said)).toEqual([SAID]);
  expect(skipped).toMatchObject([{ reason: "no folder" }]);
});

it("reads Copilot CLI and VS Code sessions of the project", async () => {
  const on = createMachine();
  const events = (id: string, cwd: string | undefined, text: string) =>
    [
      {
        type: "session.start",
        data: { sessionId: id, ...(cwd !== undefined && { context: { cwd } }) },
      },
      { type: "user.message", data: { content: text } },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join("");
  on.write(".copilot/session-state/a/events.jsonl", events("a", PROJECT, "Of the command line."));
  on.write(".copilot/session-state/b/events.jsonl", events("b", OTHER, "Not of here."));
  const workspace = `${EDITORS}/Code/User/workspaceStorage/abc`;
  on.write(`${workspace}/workspace.json`, { folder: `file://${PROJECT}` });
  const transcript = `${workspace}/GitHub.copilot-chat/transcripts/c.jsonl`;
  on.write(transcript, events("c", undefined, "Of the extension."));
  const { batches } = await readOf(on, "copilot");
  expect(batches.map(({ key }) => key)).toEqual(["a", "c"]);
});

it("reads Gemini sessions of this project only", async () => {
  const on = createMachine();
  const chat = (sessionId: string) => ({
    sessionId,
    messages: [{ id: "m1", type: "user", content: `Question of ${sessionId}` }],
  });
  const hash = createHash("sha256").update(PROJECT).digest("hex");
  on.write(`.gemini/tmp/${hash}/chats/session-1.json`, chat("by-hash"));
  on.write(`.gemini/tmp/${hash}/logs.json`, []);
  on.write(".gemini/tmp/shop/.project_root", PROJECT);
  on.write(".gemini/tmp/shop/chats/session-2.json", chat("by-name"));
  on.write(".gemini/tmp/0000/chats/session-3.json", chat("of-another"));
  const { batches } = await readOf(on, "gemini");
  expect(batches.map(({ key }) => key)).toEqual(["by-hash", "by-name"]);
});

it.each([
  ["opencode", ".local/share/opencode/opencode.db", /lacks opencode/],
  ["goose", ".local/share/goose/sessions/sessions.db", /lacks Goose/],
  ["cursor", `${EDITORS}/Cursor/User/globalStorage/state.vscdb`, /lacks Cursor/],
])("reports an unknown database format of %s", async (client, path, told) => {
  const on = createMachine();
  on.database(path, [["create table something_new (id text)"]]);
  await expect(readOf(on, client)).rejects.toThrow(told);
});

it("reports files without readable turns", async () => {
  const on = createMachine();
  on.write(".copilot/session-state/a/events.jsonl", `${JSON.stringify({ kind: "new form" })}\n`);
  const { batches, skipped } = await readOf(on, "copilot");
  expect(batches).toEqual([]);
  expect(skipped).toMatchObject([{ reason: "no turns" }]);
});
