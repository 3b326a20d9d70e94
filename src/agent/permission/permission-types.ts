export const PERMISSION_ACTIONS = ["allow", "ask", "deny"] as const;

export type PermissionAction = (typeof PERMISSION_ACTIONS)[number];

export interface PermissionRule {
  /** Name of a tool, `network` for the hosts of any tool; `*` stands for anything: `mcp__docs__*`. */
  readonly tool: string;
  /** A command, a path relative to the project, or a host, with `*`; absent: all of the tool. */
  readonly pattern?: string | undefined;
  readonly action: PermissionAction;
  /** Of a project that is not trusted: it may make the answer stricter, never freer. */
  readonly tightens?: boolean | undefined;
  /** By an answer of "session" or "always", which never covers more than was asked for. */
  readonly remembered?: boolean | undefined;
}

/** "Always" means every call of the tool. No text can mean that: a file may be called `*`. */
export const WHOLE_TOOL = Symbol("whole tool");

/** One thing that a call would do, as rules see it. */
export interface Effect {
  readonly tool: string;
  /** A kind of effect that rules may name instead of its tool. */
  readonly kind?: "network";
  readonly subject: string;
  readonly plainSubject?: string;
  /** It is known to change nothing. */
  readonly onlyReads?: boolean;
  readonly byMode: PermissionAction;
  /** Why that is, for the person: `it reaches the network`. Empty when nothing is special. */
  readonly reason: string;
  /** No rule changes it. */
  readonly isFinal?: boolean;
  /** The pattern of the rule that "always" adds; absent: "always" is not offered. */
  readonly always?: string | typeof WHOLE_TOOL;
  readonly isUnclear?: boolean;
  readonly isProposable?: boolean;
  /** A file tool leaves the project. */
  readonly isOutside?: boolean;
  /** Needs the network, which the sandbox keeps shut. */
  readonly needsNetwork?: boolean;
  /**
   * Others would get, keep or act upon what it does. Once words of others are in the conversation only a
   * rule that names this very thing allows it.
   */
  readonly isLasting?: boolean;
  /** Words of others are in the conversation. */
  readonly isTainted?: boolean;
  /** Name of the credential that it needs, which the sandbox hides. */
  readonly credential?: string;
}

export function stricter(a: PermissionAction, b: PermissionAction): PermissionAction {
  return PERMISSION_ACTIONS.indexOf(a) >= PERMISSION_ACTIONS.indexOf(b) ? a : b;
}
