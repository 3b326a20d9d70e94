import { visibleJson } from "../../kernel/visible-json.ts";
import type { Memory, Operation } from "../../memory/index.ts";
import type { AgentSettings } from "../settings.ts";
import type { Tool, ToolResult } from "./define-tool.ts";

export interface MemoryToolOptions {
  readonly memory: Memory | undefined;
  readonly mode: AgentSettings["memory"];
  /** Session of what is remembered. */
  readonly threadId: string;
}

/**
 * The operations that are meant for the agent, as its tools; with mode "read" only those that
 * change nothing.
 */
export function memoryTools({ memory, mode, threadId }: MemoryToolOptions): readonly Tool[] {
  if (memory === undefined || mode === "off") return [];
  // Those that read come first, as "read" sorts before "write".
  const operations = [...memory.operations.values()].sort((a, b) => a.kind.localeCompare(b.kind));
  return operations.flatMap((operation): Tool[] => {
    const { agentTool, summary, description = "" } = operation;
    const readOnly = operation.kind === "read";
    if (agentTool === undefined || (mode === "read" && !readOnly)) return [];
    return [
      {
        name: agentTool,
        description: `${summary.replace(/\.?$/, ".")} ${description}`.trim(),
        readOnly,
        touches: "nothing",
        input: operation.input,
        checksInput: true,
        uses: () => (readOnly ? [] : [{ kind: "memory" as const }]),
        async run({ signal }, input) {
          const options = { signal, session: threadId, surface: "agent" } as const;
          return toResult(operation, await memory.executeNamed(operation.name, input, options));
        },
      },
    ];
  });
}

function toResult(operation: Operation, output: unknown): ToolResult {
  const presented = operation.present?.(output);
  return {
    text: presented?.text ?? visibleJson(output, 1),
    ...(presented !== undefined && { summary: presented.summary }),
  };
}
