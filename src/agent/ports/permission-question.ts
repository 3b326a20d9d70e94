export interface PermissionQuestion {
  readonly threadId: string;
  readonly questionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  /** Full text of a shell call, and of a call that does not fit the title. */
  readonly command?: string;
  readonly diff?: string;
  /** Reason for the question; empty if the mode requires it. */
  readonly reason: string;
  /** Rules of "session" and "always" as `tool pattern`; empty if not offered. */
  readonly always: readonly string[];
  /** Sources of untrusted content in the conversation: `example.org/…`, `mcp:docs`. */
  readonly readBefore?: readonly string[];
  readonly contextLabel?: string;
}

/** `session`: in this thread until cairn ends; `always`: in this project. */
export type PermissionDecision = "once" | "session" | "always" | "no";

export interface PermissionAnswer {
  readonly decision: PermissionDecision;
  /** With `no`: the reason, or an alternative. */
  readonly message?: string;
  /** Client that answers, for the log: `terminal`, `editor Zed`. */
  readonly by?: string;
}

export type PermissionNotice =
  | { readonly type: "permission.ask"; readonly question: PermissionQuestion }
  | {
      readonly type: "permission.settled";
      readonly threadId: string;
      readonly questionId: string;
      /** `cancelled`: the run ended first. */
      readonly decision: PermissionDecision | "cancelled";
    };
