export interface PermissionQuestion {
  readonly threadId: string;
  readonly questionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  /** Whole: of a shell call, and of what does not fit the title. */
  readonly command?: string;
  /** Unified diff of what would be changed. */
  readonly diff?: string;
  /** Why it asks; empty: because of the mode. */
  readonly reason: string;
  /** What "session" and "always" would allow, each as `tool pattern`; empty: neither is offered. */
  readonly always: readonly string[];
  /** Where words of others in the conversation came from: `example.org/…`, `mcp:docs`. */
  readonly readBefore?: readonly string[];
  /** Set while a subagent asks. */
  readonly contextLabel?: string;
}

/** `session`: from now on in this thread, until cairn ends; `always`: in this project. */
export type PermissionDecision = "once" | "session" | "always" | "no";

export interface PermissionAnswer {
  readonly decision: PermissionDecision;
  /** With `no`: the reason, or what to do instead. */
  readonly message?: string;
  /** Who answers, by which client, for the log: `terminal`, `editor Zed`. */
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
