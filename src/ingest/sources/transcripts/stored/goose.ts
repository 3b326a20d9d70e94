import { OtherDatabase } from "../../../../database/index.ts";
import { invalidInput } from "../../../../shared/errors.ts";
import { type StoredSession, textOr } from "./stored-session.ts";

/**
 * Reads sessions of Goose's database (`sessions.db`: `sessions` with their folders, `messages` with blocks as
 * JSON).
 */
export function* gooseDatabase(path: string): Generator<StoredSession> {
  using database = new OtherDatabase(path);
  const isKnown =
    database.has("sessions", ["id", "working_dir"]) &&
    database.has("messages", ["id", "session_id", "role", "content_json", "created_timestamp"]);
  if (!isKnown) {
    throw invalidInput(
      `file: ${path} has not the tables that Goose had so far (sessions, messages), so nothing of it is read`,
    );
  }
  const title = database.has("sessions", ["description"]) ? "description" : "id";
  const sessions = [
    ...database.rows(`select id, working_dir, ${title} as title from sessions order by rowid`),
  ];
  for (const session of sessions) {
    const messages = [
      ...database.rows(
        "select id, role, content_json, created_timestamp from messages where session_id = ? order by id",
        session.id,
      ),
    ];
    yield {
      key: String(session.id),
      title: textOr(session.title),
      cwd: textOr(session.working_dir),
      records: messages.map(({ id, role, content_json: content, created_timestamp: created }) => ({
        ...{ id: `m${String(id)}`, role, created },
        content: listOf(content),
      })),
    };
  }
}

function listOf(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    // Incomplete JSON is skipped.
    return [];
  }
}
