import { isPlainObject } from "../../shared/json.ts";
import { tryToTimestamp } from "../../shared/time.ts";
import type { TranscriptEntry } from "./tool-calls.ts";
import { joinTexts } from "./transcript-formats.ts";

export interface TranscriptRecord {
  readonly entries: readonly TranscriptEntry[];
  readonly id?: string;
  readonly session?: string;
  readonly at?: string;
  readonly cwd?: string;
  readonly branch?: string;
}

/** Identifies a record within its session by id or index. */
export const recordKey = ({ id }: TranscriptRecord, index: number): string => id ?? `n${index}`;

type Fields = Readonly<Record<string, unknown>>;

/** Field names by client, most common first; a dot descends into an object. */
const FIELD_PATHS = {
  id: ["uuid", "id", "info.id", "payload.id", "message.id"],
  session: [
    "sessionId",
    "session_id",
    "sessionID",
    "info.sessionID",
    "payload.session_id",
    "data.sessionId",
  ],
  at: [
    "timestamp",
    "info.time.created",
    "time.created",
    "time",
    "data.timestamp",
    "createdAt",
    "created",
    "ts",
  ],
  cwd: ["cwd", "payload.cwd", "data.cwd", "data.context.cwd", "info.path.cwd", "working_dir"],
  branch: ["gitBranch", "payload.git.branch", "data.gitBranch", "data.context.branch", "branch"],
} as const satisfies Record<Exclude<keyof TranscriptRecord, "entries">, readonly string[]>;

export function describeRecord(record: Fields): Omit<TranscriptRecord, "entries"> {
  const text = (name: keyof typeof FIELD_PATHS) =>
    FIELD_PATHS[name].map((path) => valueAtPath(record, path)).find(isText);
  const time = FIELD_PATHS.at.map((path) => parseTime(valueAtPath(record, path))).find(isText);
  const session = record.type === "session_meta" ? valueAtPath(record, "payload.id") : undefined;
  const named = isText(session) ? session : text("session");
  const id = text("id");
  const cwd = text("cwd") ?? findFolder(record);
  const branch = text("branch");
  return {
    ...(id !== undefined && { id }),
    ...(named !== undefined && { session: named }),
    ...(time !== undefined && { at: time }),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
  };
}

function findFolder({ role, content }: Fields): string | undefined {
  if (role !== "user") return undefined;
  return /# Current (?:Working|Workspace) Directory \(([^()\n]+)\)/.exec(joinTexts(content))?.[1];
}

function valueAtPath(record: Fields, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) value = isPlainObject(value) ? value[name] : undefined;
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Converts Unix seconds or milliseconds to ISO; keeps ISO text. */
function parseTime(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) {
    return tryToTimestamp(new Date(value < 1e11 ? value * 1000 : value));
  }
  return typeof value === "string" ? tryToTimestamp(new Date(value)) : undefined;
}
