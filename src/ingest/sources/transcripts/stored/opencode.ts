import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { OtherDatabase } from "../../../../database/index.ts";
import { groupBy } from "../../../../shared/collections.ts";
import { invalidInput } from "../../../../shared/errors.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { readRegularFile, tryReadRegularFile } from "../../../../shared/regular-file.ts";
import { parseObject, type StoredSession, textOrDefault } from "./stored-session.ts";

/** Larger files are not opencode sessions. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads sessions from `opencode.db` (tables `session`, `message` and `part`; the last two store
 * JSON). Skips subagent sessions, which the parent session summarizes.
 */
export function* opencodeDatabase(path: string): Generator<StoredSession> {
  using database = new OtherDatabase(path);
  const isKnown =
    database.has("session", ["id", "parent_id", "title", "directory"]) &&
    database.has("message", ["id", "session_id", "data"]) &&
    database.has("part", ["id", "message_id", "data"]);
  if (!isKnown) {
    throw invalidInput(
      `file: ${path} lacks opencode's tables (session, message, part) and was skipped`,
    );
  }
  // Since 1.0, a session records the message from which the user reverted.
  const revert = database.has("session", ["revert"]) ? "revert" : "null as revert";
  const sessions = [
    ...database.rows(
      `select id, title, directory, ${revert} from session where parent_id is null order by id`,
    ),
  ];
  for (const { id, title, directory, revert: reverted } of sessions) {
    const revertedFrom = textOrDefault(parseObject(reverted)?.messageID);
    const parts = groupBy(
      [...database.rows("select message_id, data from part where session_id = ? order by id", id)],
      ({ message_id: message }) => message,
    );
    const messages = [
      ...database.rows("select id, data from message where session_id = ? order by id", id),
    ].filter((message) => isEarlier(message.id, revertedFrom));
    yield {
      key: String(id),
      title: textOrDefault(title),
      cwd: textOrDefault(directory),
      records: messages.map((message) => ({
        info: { ...parseObject(message.data), id: message.id, sessionID: id },
        parts: (parts.get(message.id) ?? []).map(({ data }) => parseObject(data)),
      })),
    };
  }
}

/**
 * Reads a session from before opencode's database: `storage/session/…/<id>.json` with messages and
 * parts in sibling folders.
 */
export function* opencodeFiles(path: string): Generator<StoredSession> {
  const session = parseObject(readRegularFile(path, MAX_BYTES).text);
  const key = textOrDefault(session?.id);
  if (session === undefined || key === undefined) {
    throw invalidInput(`file: ${path} is not an opencode session and was skipped`);
  }
  if (session.parentID !== undefined) return;
  const storage = join(dirname(path), "..", "..");
  const revertedFrom = isPlainObject(session.revert)
    ? textOrDefault(session.revert.messageID)
    : undefined;
  yield {
    key,
    title: textOrDefault(session.title),
    cwd: textOrDefault(session.directory),
    records: readObjects(join(storage, "message", key))
      .filter(({ id }) => isEarlier(id, revertedFrom))
      .map((info) => ({ info, parts: readObjects(join(storage, "part", String(info.id))) })),
  };
}

const isEarlier = (message: unknown, revertedFrom: string | undefined): boolean =>
  revertedFrom === undefined || String(message) < revertedFrom;

/** Returns objects by file name, which is also their creation order. */
function readObjects(folder: string): Readonly<Record<string, unknown>>[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().flatMap((name) => {
    const value = parseObject(tryReadRegularFile(join(folder, name), MAX_BYTES)?.text);
    return value === undefined ? [] : [value];
  });
}
