import { isPlainObject } from "../../../kernel/json.ts";

/** A session as a client keeps it where it writes no transcript. */
export interface StoredSession {
  /** What the client calls it. */
  readonly key: string;
  readonly title: string | undefined;
  /** Absolute folder in which it worked, where that is known. */
  readonly cwd: string | undefined;
  /** Records of one of the forms that transcripts have. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Reads all sessions of a file; throws invalid_input where the file is of no form that it knows. */
export type ReadStored = (path: string) => Iterable<StoredSession>;

/** The object that a column or a file has as JSON; undefined where it is none. */
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
