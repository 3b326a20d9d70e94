import type { HookCommand, HookEvent } from "./client.ts";

/** Claude Code's form, which Codex, Gemini CLI and Qwen Code took over: the event is named in the answer. */
export function specificOutput(names: Partial<Record<HookEvent, string>>) {
  return (event: HookEvent, context: string) =>
    JSON.stringify({
      hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
    });
}

export function refusedCall(text: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: text,
    },
  });
}

export function blockedStop(text: string): string {
  return JSON.stringify({ decision: "block", reason: text });
}

interface GroupedHooks {
  /** In the client's own unit. */
  readonly timeout: number;
  readonly tools: string;
  /** Further fields of the command. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** `{matcher?, hooks: [{type, command, timeout}]}` */
export function groupedEntry({ timeout, tools, more = {} }: GroupedHooks) {
  return ({ event, line }: HookCommand) => ({
    ...(event === "tool" && { matcher: tools }),
    hooks: [{ type: "command", command: line, timeout, ...more }],
  });
}
