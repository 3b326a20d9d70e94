import { OtherDatabase, type OtherRow } from "../../../../database/index.ts";
import { invalidInput } from "../../../../shared/errors.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { parseObject, type StoredSession, textOrDefault } from "./stored-session.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface CursorKnown {
  folderOf(composer: string): string | undefined;
  /** True if the conversation also has a transcript, which takes precedence. */
  hasTranscript(composer: string): boolean;
}

/**
 * Reads conversations from `globalStorage/state.vscdb`, table `cursorDiskKV`: `composerData:<id>`
 * lists the order and `bubbleId:<id>:<bubble>` stores the messages. Before 2025, the former
 * contained both.
 */
export function* cursorDatabase(path: string, known: CursorKnown): Generator<StoredSession> {
  using database = new OtherDatabase(path);
  if (!database.has("cursorDiskKV", ["key", "value"])) {
    throw invalidInput(`file: ${path} lacks Cursor's table (cursorDiskKV) and was skipped`);
  }
  const keys = [
    ...database.rows(
      "select key from cursorDiskKV where key >= 'composerData:' and key < 'composerData;' order by rowid",
    ),
  ].map(({ key }) => String(key));
  for (const key of keys) {
    const id = key.slice("composerData:".length);
    const composer = readObject(database, key);
    // A model wrote the prompts of a subagent's conversation.
    const isSubagent = isPlainObject(composer?.subagentInfo);
    if (composer === undefined || isSubagent || known.hasTranscript(id)) continue;
    const bubbles = loadBubbles(database, id, composer);
    yield {
      key: id,
      title: textOrDefault(composer.name),
      cwd: known.folderOf(id) ?? findFolder(bubbles),
      records: bubbles.map((bubble) => convertBubble(bubble, composer.createdAt)),
    };
  }
}

function readObject(database: OtherDatabase, key: string): Fields | undefined {
  const [row]: OtherRow[] = [...database.rows("select value from cursorDiskKV where key = ?", key)];
  return parseObject(row?.value);
}

function loadBubbles(database: OtherDatabase, id: string, composer: Fields): Fields[] {
  const { conversation, fullConversationHeadersOnly: headers } = composer;
  if (Array.isArray(conversation) && conversation.length > 0) {
    return conversation.flatMap((bubble: unknown) => (isPlainObject(bubble) ? [bubble] : []));
  }
  if (!Array.isArray(headers)) return [];
  return headers.filter(isPlainObject).flatMap(({ bubbleId }) => {
    const bubble = readObject(database, `bubbleId:${id}:${String(bubbleId)}`);
    return bubble === undefined ? [] : [bubble];
  });
}

function findFolder(bubbles: readonly Fields[]): string | undefined {
  const [uri] = bubbles.flatMap(({ workspaceUris: uris }) => (Array.isArray(uris) ? uris : []));
  return typeof uri === "string" ? uriToPath(uri) : undefined;
}

/** Undefined for remote or non-file URIs. */
export function uriToPath(uri: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  const path = decodeURIComponent(uri.slice("file://".length));
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** Converts a bubble to a message with blocks. */
function convertBubble(bubble: Fields, startedAt: unknown): Fields {
  const { bubbleId: id, type, text, createdAt, toolFormerData: tool } = bubble;
  return {
    ...{ id, role: type === 1 ? "user" : "assistant", createdAt: createdAt ?? startedAt },
    content: [
      ...(textOrDefault(text) === undefined ? [] : [{ type: "text", text }]),
      ...(isPlainObject(tool) && type !== 1 ? createToolBlocks(tool, id) : []),
    ],
  };
}

function createToolBlocks(tool: Fields, bubble: unknown): Fields[] {
  const name = textOrDefault(tool.name)?.replace(/_v\d+$/, "");
  if (name === undefined) return [];
  const id = textOrDefault(tool.toolCallId) ?? bubble;
  const input = parseObject(tool.rawArgs) ?? parseObject(tool.params) ?? tool.params ?? {};
  const call = { ...{ type: "tool_use", id, name }, input };
  const { status, result } = tool;
  if (status !== "completed" && status !== "success" && status !== "error") return [call];
  const output = parseObject(result) ?? result;
  return [
    call,
    {
      ...{ type: "tool_result", tool_use_id: id, content: output },
      is_error: status === "error" || hasFailed(output),
    },
  ];
}

function hasFailed(output: unknown): boolean {
  if (!isPlainObject(output)) return false;
  const { exitCode, exitCodeV2 } = output;
  return [exitCode, exitCodeV2].some((code) => typeof code === "number" && code !== 0);
}
