/** Somebody whom work can be handed to. */
export interface Subagent {
  /** What the `subagent` tool is called with: of a file its name without `.md`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its system prompt in place of the identity line. */
  readonly role: string;
  /** Only these of the tools that the settings allow; absent: all. */
  readonly tools?: readonly string[];
  readonly worktree?: true;
  readonly keepsFindings?: true;
}
