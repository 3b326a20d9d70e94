import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { isPlainObject } from "../kernel/json.ts";
import { makeFolder } from "../kernel/make-folder.ts";
import { type SessionReading, sessionReading } from "./session-reading.ts";

/** What hooks of one session have to know of one another; each is a process of its own. */
export interface HookSession {
  /** Ids of what the model was shown. */
  readonly shown: readonly string[];
  /** Comparable texts of what was kept. */
  readonly captured: readonly string[];
  /** Ids of the mistakes for which a call was refused once. */
  readonly held?: readonly string[];
  /** The episode that lists the session's files, which grows with it. */
  readonly filesEpisode?: string;
  /** How far the transcript was looked through. */
  readonly reading?: SessionReading;
}

const EMPTY: HookSession = { shown: [], captured: [] };
/** A session that nobody went on with for so long is over; milliseconds. */
const FORGOTTEN_AFTER = 14 * 24 * 60 * 60 * 1000;

/** The file in which a session's state is kept. */
export function sessionFile(dataDir: string, client: string, session: string): string {
  const hash = createHash("sha256").update(session).digest("hex").slice(0, 24);
  return join(dataDir, "hook-sessions", `${client}-${hash}.json`);
}

/** An unreadable file is that of a session that just begins. */
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

/** Removes what sessions of long ago left. */
export function forgetOldSessions(dataDir: string, now: number): void {
  const folder = join(dataDir, "hook-sessions");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > FORGOTTEN_AFTER) rmSync(file, { force: true });
  }
}
