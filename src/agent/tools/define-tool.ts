import type { z } from "zod";
import type { ProcessTable } from "../processes/process-table.ts";
import type { ProjectPaths } from "./project-paths.ts";

/** One file, one tool. Input that does not fit the schema never reaches `run`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What the model reads: what it does, what it answers, when another tool is better. */
  readonly description: string;
  readonly input: Input;
  /** Changes neither files nor memory and starts no process. */
  readonly readOnly: boolean;
  /**
   * What of the project a tool that is not `readOnly` may change: the file at its `path`, nothing,
   * or, by default, anything.
   */
  readonly touches?: "path" | "nothing";
  /** The arguments go to `run` as the model gave them: what runs there checks them itself. */
  readonly checksInput?: true;
  /** A thrown error becomes an error result; the reason of the signal is passed on. */
  run(context: ToolContext, input: z.output<Input>): Promise<ToolResult>;
}

export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly paths: ProjectPaths;
  /** Processes of the run: they end with it, unless they were sent to the background. */
  readonly processes: ProcessTable;
}

export interface ToolResult {
  /** What the model gets. */
  readonly text: string;
  /** What a person sees, one or two lines; default: the first line of `text`. */
  readonly summary?: string;
  /** Unified diff. */
  readonly diff?: string;
  readonly isError?: boolean;
  /** `text` without what differs between equal results, such as the time that was taken. */
  readonly essence?: string;
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

export function errorResult(text: string): ToolResult {
  return { text, isError: true };
}
