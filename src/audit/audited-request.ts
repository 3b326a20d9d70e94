import { z } from "zod";
import { type ChainKind, chainLink } from "../shared/chained-log/chain-link.ts";

/** On what way a request came in. */
export const WAYS_IN = [
  "rest",
  "feed",
  "mcp",
  "page",
  "log-in",
  "directory",
  "server",
  /** The agent of `cairn ui`, whose messages are noted in a log of its own. */
  "agent",
  /** The door for paired phones. */
  "phone",
  /** The log speaks of itself. */
  "log",
] as const;

export const AUDIT_OUTCOMES = [
  "answered",
  "refused",
  "failed",
  "started",
  "stopped",
  /** So many requests could not be noted. */
  "missed",
  "healed",
  "broken",
] as const;

/** How a caller was known. */
const KNOWN_BY = ["token", "role", "server", "nobody"] as const;

const said = {
  from: z.enum(WAYS_IN),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** As HTTP has it, of a tool's call too. */
  status: z.number().int().optional(),
  /** Name of the token or person; null: the server's own token, or nobody who is known. */
  caller: z.string().nullable(),
  by: z.enum(KNOWN_BY),
  /** As it is declared, `GET /api/v1/episodes/{episode_id}`. */
  route: z.string().optional(),
  operation: z.string().optional(),
  database: z.string().optional(),
  /** Of items that the request named. */
  ids: z.array(z.string()).optional(),
  /** The change that a write was. */
  change: z.string().optional(),
  /** Of the log itself only. */
  text: z.string().optional(),
};

export const serverEntry = z.strictObject({ ...chainLink, ...said });

/** What is noted of a request: names and numbers, never words of the memory or of the question. */
export type AuditedRequest = Omit<z.output<typeof serverEntry>, keyof typeof chainLink>;

export type ServerEntry = z.output<typeof serverEntry>;

/** An entry about the log or the server itself. */
export function ofServer(outcome: AuditedRequest["outcome"], text: string): AuditedRequest {
  return { from: "log", outcome, caller: null, by: "server", text };
}

export const serverAudit: ChainKind<AuditedRequest> = {
  entry: serverEntry,
  command: "cairn audit --server",
  ofLog: ofServer,
  brokenBefore: ({ outcome, text }) =>
    outcome === "broken" ? (text ?? "It is broken.") : undefined,
};
