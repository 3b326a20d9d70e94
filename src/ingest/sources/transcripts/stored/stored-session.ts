import { isPlainObject } from "../../../../shared/json.ts";

/** A session of a client that stores no transcripts. */
export interface StoredSession {
  /** The client's id for the session. */
  readonly key: string;
  readonly title: string | undefined;
  /** Absolute folder in which it worked, if known. */
  readonly cwd: string | undefined;
  /** Records in one of the forms of transcripts. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Reads all sessions of a file. Throws invalid_input if its form is unknown. */
export type ReadStored = (path: string) => Iterable<StoredSession>;

/** The object in a column or file with JSON; undefined if it is none. */
export function objectOf(json: unknown): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.isBuffer(json) ? json.toString("utf8") : json;
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function textOr(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
