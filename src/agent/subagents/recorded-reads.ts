import { createHash } from "node:crypto";
import type { Tool, ToolContext, ToolResult } from "../tools/define-tool.ts";

const LOCAL_READS: ReadonlySet<string> = new Set(["read", "skim", "filegrep", "glob", "grep"]);
const MEMORY_READS: ReadonlySet<string> = new Set(["recall", "memory_snapshot"]);

export interface RecordedRead {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly seen: string;
}

export class RecordedReads {
  readonly #reads: RecordedRead[] = [];
  #sawMore = false;

  around(tools: readonly Tool[]): readonly Tool[] {
    return tools.map((tool) => ({
      ...tool,
      run: (context, input) => this.#run(tool, context, input),
    }));
  }

  /** Undefined if it read more than the project, or nothing of it. */
  get all(): readonly RecordedRead[] | undefined {
    return this.#sawMore || this.#reads.length === 0 ? undefined : this.#reads;
  }

  async #run(
    tool: Tool,
    context: ToolContext,
    input: Readonly<Record<string, unknown>>,
  ): Promise<ToolResult> {
    if (!LOCAL_READS.has(tool.name)) {
      this.#sawMore ||= !MEMORY_READS.has(tool.name);
      return tool.run(context, input);
    }
    try {
      const result = await tool.run(context, input);
      this.#reads.push({ tool: tool.name, input, seen: hashResult(result) });
      return result;
    } catch (error) {
      this.#reads.push({ tool: tool.name, input, seen: FAILED_HASH });
      throw error;
    }
  }
}

/** True if every call returns the same result as before. */
export async function isUnchanged(
  reads: readonly RecordedRead[],
  { tools, context }: { readonly tools: readonly Tool[]; readonly context: ToolContext },
): Promise<boolean> {
  for (const { tool: name, input, seen } of reads) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined || !LOCAL_READS.has(name)) return false;
    const now = await tool.run(context, input).then(hashResult, () => FAILED_HASH);
    context.signal.throwIfAborted();
    if (now !== seen) return false;
  }
  return true;
}

const FAILED_HASH = "failed";

function hashResult({ text, comparableText, pictures = [] }: ToolResult): string {
  const sum = createHash("sha256").update(comparableText ?? text);
  for (const { data } of pictures) sum.update(data);
  return sum.digest("hex").slice(0, 16);
}
