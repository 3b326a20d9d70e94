import { createHash } from "node:crypto";
import { z } from "zod";

/** What every entry of a chained log has besides what it says. */
export const chainLink = {
  n: z.number().int().min(1),
  at: z.string(),
  /** Hash of the entry before; of the first, zeros. */
  before: z.string(),
  hash: z.string(),
};

export interface ChainLink {
  readonly n: number;
  readonly at: string;
  readonly before: string;
  readonly hash: string;
}

/** What stands for the entry before the first. */
export const BEGINNING = "0".repeat(64);

/** What tells the entries of one kind of log from those of another. */
export interface ChainKind<Said extends object> {
  /** A whole line, its link included. */
  readonly entry: z.ZodType<Said & ChainLink>;
  /** The command that reads it, for messages. */
  readonly command: string;
  /** What an entry about the log itself says. */
  ofLog(event: "healed" | "broken", text: string): Said;
  /** What an entry says that is broken before it; undefined for all others. */
  brokenBefore(said: Said): string | undefined;
}

/** Of everything that an entry says, the hash of the one before it included. */
export function hashOf({ hash: _own, ...said }: ChainLink): string {
  const fields = Object.entries(said)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
