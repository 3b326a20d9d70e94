import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../../shared/files.ts";
import { isPlainObject } from "../../shared/json.ts";
import { comparableText } from "../learning/index.ts";
import { type SessionReading, sessionReading } from "./session-reading.ts";

export interface HookSession {
  readonly shown: readonly string[];
  readonly captured: readonly string[];
  /** Ids of mistakes for which a call was already refused once. */
  readonly held?: readonly string[];
  readonly filesEpisode?: string;
  readonly told?: readonly string[];
  /** The session-start context of a resumed session is shown with the next prompt. */
  readonly isStartPending?: boolean;
  readonly startedAt?: number;
  /** Items stored since the client last displayed the count. */
  readonly added?: number;
  /** Key of the first record that no other session has; empty if all are copies. */
  readonly firstNew?: string;
  readonly reading?: SessionReading;
}

const EMPTY_SESSION: HookSession = { shown: [], captured: [] };
/** Idle time in milliseconds after which a session is over. */
const SESSION_EXPIRY_MS = 14 * 24 * 60 * 60 * 1000;

export function sessionFile(dataDir: string, client: string, session: string): string {
  const hash = createHash("sha256").update(session).digest("hex").slice(0, 24);
  return join(dataDir, "hook-sessions", `${client}-${hash}.json`);
}

export function readSession(file: string): HookSession {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isPlainObject(value)) return EMPTY_SESSION;
    const texts = (list: unknown) =>
      Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
    const reading = sessionReading.safeParse(value.reading);
    return {
      shown: texts(value.shown),
      captured: texts(value.captured),
      held: texts(value.held),
      told: texts(value.told),
      ...(value.isStartPending === true && { isStartPending: true }),
      ...(typeof value.startedAt === "number" && { startedAt: value.startedAt }),
      ...(typeof value.added === "number" && { added: value.added }),
      ...(typeof value.filesEpisode === "string" && { filesEpisode: value.filesEpisode }),
      ...(typeof value.firstNew === "string" && { firstNew: value.firstNew }),
      ...(reading.success && { reading: reading.data }),
    };
  } catch {
    return EMPTY_SESSION;
  }
}

export function writeSession(file: string, session: HookSession): void {
  makeFolder(join(file, ".."));
  writeFileAtomic.sync(file, JSON.stringify(session), { mode: 0o600 });
}

export function updateSession(file: string, change: (now: HookSession) => HookSession): void {
  writeSession(file, change(readSession(file)));
}

const MAX_SHOWN_HASHES = 1_000;
/** Shorter lines could match by chance. */
const MIN_SHOWN_CHARACTERS = 12;

/** Returns hashes of hook output so that it is never captured as the user's words. */
export function hashShown(text: string, before: readonly string[] = []): readonly string[] {
  const lines = text.split("\n").flatMap((line) => [line, ...quotedIn(line)]);
  const hashes = lines
    .map(comparableText)
    .filter(({ length }) => length >= MIN_SHOWN_CHARACTERS)
    .map(getHash);
  return [...new Set([...before, ...hashes])].slice(-MAX_SHOWN_HASHES);
}

export function isReported(statement: string, reported: ReadonlySet<string>): boolean {
  return reported.has(getHash(comparableText(statement)));
}

const quotedIn = (line: string) =>
  [...line.matchAll(/[“"]([^“”"]{12,})[”"]/g)].map(([, quoted = ""]) => quoted);

const getHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

export function forgetOldSessions(dataDir: string, now: number): void {
  const folder = join(dataDir, "hook-sessions");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > SESSION_EXPIRY_MS)
      rmSync(file, { force: true });
  }
}
