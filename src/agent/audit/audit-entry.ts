import { z } from "zod";
import { type ChainKind, chainLink } from "../../shared/chained-log/chain-link.ts";

/** What a call did or was kept from, as it is noted. */
export interface AuditedCall {
  readonly threadId: string;
  readonly tool: string;
  /** The command, path, host or arguments; secrets in it are masked before it is written. */
  readonly subject: string;
  /** Why it asked or was refused; empty: nothing was special. */
  readonly reason: string;
  readonly outcome: AuditOutcome;
  /** It was given the network. */
  readonly network: boolean;
  /** It was given the person's keys for git and ssh. */
  readonly keys: boolean;
  /** Who answered, and by which client: `terminal`, `cairn-page 1.0`. */
  readonly by?: string | undefined;
}

export const AUDIT_OUTCOMES = [
  "allowed",
  "refused",
  "nobody to ask",
  /** Nobody could be asked whether it is remembered: it waits as a proposal. */
  "proposed",
  "answered once",
  "answered session",
  "answered always",
  "answered no",
  "cancelled",
  /** A question of the agent's own; the subject is the answer. */
  "answered",
  /** A host that a command came to, or was kept from. */
  "reached",
  "kept from",
  /** A key of the person's that was used for a command, which did not see it. */
  "key used",
  /** Of the log itself: a line that was left half was cut off. */
  "healed",
  /** Of the log itself: what is before it is not what was written. */
  "broken",
] as const;

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export const auditEntry = z.strictObject({
  ...chainLink,
  threadId: z.string(),
  tool: z.string(),
  subject: z.string(),
  reason: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  network: z.boolean(),
  keys: z.boolean(),
  by: z.string().optional(),
});

export type AuditEntry = z.output<typeof auditEntry>;

export const agentAudit: ChainKind<AuditedCall> = {
  entry: auditEntry,
  command: "cairn audit",
  ofLog: (outcome, subject) => ({
    ...{ threadId: "", tool: "log", subject, reason: "", outcome, network: false, keys: false },
  }),
  brokenBefore: ({ outcome, subject }) => (outcome === "broken" ? subject : undefined),
};
