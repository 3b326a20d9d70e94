export interface Subagent {
  /** Argument of the `subagent` tool; of a file its name without `.md`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Replaces the identity line of the system prompt. */
  readonly role: string;
  /** Restricts the tools of the settings; absent: all. */
  readonly tools?: readonly string[];
  readonly worktree?: true;
  readonly keepsFindings?: true;
}
