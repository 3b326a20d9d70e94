import { isPlainObject } from "../../kernel/json.ts";
import type { Memory } from "../../memory/index.ts";
import type { AgentSettings } from "../settings.ts";
import type { Tool, ToolResult } from "./define-tool.ts";

/** Tools and the operations of the engine that they are made of. */
const MEMORY_TOOLS = [
  { name: "recall", operation: "recall" },
  { name: "memory_snapshot", operation: "snapshot" },
  { name: "remember", operation: "remember" },
  { name: "memory_apply", operation: "apply" },
] as const;

export interface MemoryToolOptions {
  readonly memory: Memory | undefined;
  readonly mode: AgentSettings["memory"];
  /** Session of what is remembered. */
  readonly threadId: string;
}

/** The agent's memory tools; with mode "read" only those that change nothing. */
export function memoryTools({ memory, mode, threadId }: MemoryToolOptions): readonly Tool[] {
  if (memory === undefined || mode === "off") return [];
  return MEMORY_TOOLS.flatMap(({ name, operation: operationName }): Tool[] => {
    const operation = memory.operations.get(operationName);
    if (operation === undefined) return [];
    const readOnly = operation.kind === "read";
    if (mode === "read" && !readOnly) return [];
    const { summary, description = "" } = operation;
    return [
      {
        name,
        description: `${summary.replace(/\.?$/, ".")} ${description}`.trim(),
        readOnly,
        input: operation.input,
        checksInput: true,
        async run({ signal }, input) {
          const output = await memory.execute(operationName, input, { signal, session: threadId });
          return toResult(name, output);
        },
      },
    ];
  });
}

function toResult(name: string, output: unknown): ToolResult {
  const fields = isPlainObject(output) ? output : {};
  const text = JSON.stringify(output, null, 1);
  if (name === "recall") {
    const formatted = typeof fields.formatted === "string" ? fields.formatted : text;
    const concepts = lengthOf(fields.concepts);
    const episodes = lengthOf(fields.episodes);
    return {
      text: formatted || "Nothing found.",
      summary: `${concepts} concepts, ${episodes} episodes`,
    };
  }
  if (name === "remember") return { text, summary: `Remembered ${String(fields.id ?? "")}`.trim() };
  if (name === "memory_apply") {
    const results = lengthOf(fields.results);
    const verb = fields.dry_run === true ? "would be applied" : "applied";
    const failed = fields.success === false;
    const summary = failed ? "The changeset was not applied" : `${results} changes ${verb}`;
    return failed ? { text, summary, isError: true } : { text, summary };
  }
  return { text, summary: Object.keys(fields).join(", ") };
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
