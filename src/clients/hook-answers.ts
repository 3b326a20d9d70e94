import type { HookEvent } from "./client.ts";

/** Claude Code's form, which Codex, Gemini CLI and Qwen Code took over: the event is named in the answer. */
export function specificOutput(names: Partial<Record<HookEvent, string>>) {
  return (event: HookEvent, context: string) =>
    JSON.stringify({
      hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
    });
}

/** `{matcher?, hooks: [{type, command, timeout}]}`; `timeout` in the client's own unit. */
export function groupedEntry(timeout: number, more: Readonly<Record<string, unknown>> = {}) {
  return ({ line }: { readonly line: string }) => ({
    hooks: [{ type: "command", command: line, timeout, ...more }],
  });
}
