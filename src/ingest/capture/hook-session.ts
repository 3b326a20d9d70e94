import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../../shared/files.ts";
import { isPlainObject } from "../../shared/json.ts";
import { type SessionReading, sessionReading } from "./session-reading.ts";

/** State shared by the hooks of one session, each of which runs in its own process. */
export interface HookSession {
  /** Ids of items that the model was shown. */
  readonly shown: readonly string[];
  /** Normalised texts of what was kept. */
  readonly captured: readonly string[];
  /** Ids of mistakes for which a call was already refused once. */
  readonly held?: readonly string[];
  /** The episode that lists the session's files; it is updated as the session goes on. */
  readonly filesEpisode?: string;
  /** How far the transcript was looked through. */
  readonly reading?: SessionReading;
}

const EMPTY: HookSession = { shown: [], captured: [] };
/** A session that was idle for so many milliseconds is over. */
const FORGOTTEN_AFTER = 14 * 24 * 60 * 60 * 1000;

/** The file that holds a session's state. */
export function sessionFile(dataDir: string, client: string, session: string): string {
  const hash = createHash("sha256").update(session).digest("hex").slice(0, 24);
  return join(dataDir, "hook-sessions", `${client}-${hash}.json`);
}

/** An unreadable file is treated as a new session. */
export function readSession(file: string): HookSession {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isPlainObject(value)) return EMPTY;
    const texts = (list: unknown) =>
      Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
    const reading = sessionReading.safeParse(value.reading);
    return {
      shown: texts(value.shown),
      captured: texts(value.captured),
      held: texts(value.held),
      ...(typeof value.filesEpisode === "string" && { filesEpisode: value.filesEpisode }),
      ...(reading.success && { reading: reading.data }),
    };
  } catch {
    return EMPTY;
  }
}

export function writeSession(file: string, session: HookSession): void {
  makeFolder(join(file, ".."));
  writeFileAtomic.sync(file, JSON.stringify(session), { mode: 0o600 });
}

/** Removes the state files of old sessions. */
export function forgetOldSessions(dataDir: string, now: number): void {
  const folder = join(dataDir, "hook-sessions");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > FORGOTTEN_AFTER) rmSync(file, { force: true });
  }
}
