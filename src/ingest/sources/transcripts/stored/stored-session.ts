import { isPlainObject } from "../../../../shared/json.ts";

export interface StoredSession {
  readonly key: string;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  /** In any supported transcript format. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Reads all sessions of a file. Throws invalid_input for an unknown format. */
export type ReadStored = (path: string) => Iterable<StoredSession>;

export function parseObject(json: unknown): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.isBuffer(json) ? json.toString("utf8") : json;
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function textOrDefault(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
