export const PERMISSION_ACTIONS = ["allow", "ask", "deny"] as const;

export type PermissionAction = (typeof PERMISSION_ACTIONS)[number];

export interface PermissionRule {
  /** Name of a tool, or `network` for hosts; `*` matches any text: `mcp__docs__*`. */
  readonly tool: string;
  /** A command, a path relative to the project, or a host, with `*`; absent: any call. */
  readonly pattern?: string | undefined;
  readonly action: PermissionAction;
  /** From an untrusted project: it may only deny or ask. */
  readonly tightens?: boolean | undefined;
  /** Added by an answer of "session" or "always", which covers only what was asked. */
  readonly remembered?: boolean | undefined;
}

/** "Always" for every call of the tool. A symbol, since a file may be named `*`. */
export const WHOLE_TOOL = Symbol("whole tool");

export interface Effect {
  readonly tool: string;
  readonly kind?: "network";
  readonly subject: string;
  readonly plainSubject?: string;
  readonly onlyReads?: boolean;
  readonly byMode: PermissionAction;
  /** Reason for the user: `it reaches the network`; empty if none. */
  readonly reason: string;
  readonly isFinal?: boolean;
  /** Pattern of the rule that "always" adds; absent if "always" is not offered. */
  readonly always?: string | typeof WHOLE_TOOL;
  readonly isUnclear?: boolean;
  readonly isProposable?: boolean;
  readonly isOutside?: boolean;
  readonly needsNetwork?: boolean;
  /**
   * Others would receive, keep or run the result. After untrusted content was read, only a rule
   * that names exactly this allows it.
   */
  readonly isLasting?: boolean;
  readonly isTainted?: boolean;
  /** Credential that it needs and the sandbox hides. */
  readonly credential?: string;
}

export function stricterAction(a: PermissionAction, b: PermissionAction): PermissionAction {
  return PERMISSION_ACTIONS.indexOf(a) >= PERMISSION_ACTIONS.indexOf(b) ? a : b;
}
