import { z } from "zod";
import { defineTool, type Tool, type ToolResult } from "./define-tool.ts";

export interface Delegation {
  readonly callId: string;
  /** Id or name, as the model sent it. */
  readonly id: string;
  readonly prompt: string;
  /** In a git worktree; default: by the subagent's file. */
  readonly worktree?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** Hands work to a subagent; `delegate` returns its last text. */
export function subagentTool(delegate: (work: Delegation) => Promise<ToolResult>): Tool {
  return defineTool({
    name: "subagent",
    description:
      "Delegates a task to a subagent and returns its last message. It does not see this " +
      "conversation: put everything it needs into the prompt.",
    readOnly: false,
    touches: "nothing",
    input: z.strictObject({
      id: z.string().trim().min(1).describe("One of the subagents of the system prompt."),
      prompt: z.string().trim().min(1),
      worktree: z
        .boolean()
        .optional()
        .describe(
          "Work in a git worktree, for changes in parallel to yours. The user merges them.",
        ),
    }),
    // Its own calls are judged one by one.
    uses: () => [],
    run: ({ callId, signal }, { id, prompt, worktree }) =>
      delegate({ callId, id, prompt, worktree, signal }),
  });
}
