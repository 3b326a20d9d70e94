import type { z } from "zod";
import type { Picture } from "../images/picture.ts";
import type { ProgressItem } from "../ports/dialogue.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { Claim } from "./claims.ts";
import type { ProjectPaths } from "./project-paths.ts";

/** One file, one tool. Input that does not fit the schema never reaches `run`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** JSON Schema that the model is shown in place of `input`'s: for tools of others. */
  readonly inputSchema?: object;
  /** Changes neither files nor memory and starts no process. */
  readonly readOnly: boolean;
  /**
   * What of the project a tool that is not `readOnly` may change: the file at its `path`, nothing,
   * or, by default, anything.
   */
  readonly touches?: "path" | "nothing";
  /** Other names under which models know a field, and the name that it has here. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The arguments go to `run` as the model gave them: what runs there checks them itself. */
  readonly checksInput?: true;
  /** What a call would touch; without it, a tool that is not `readOnly` may do anything. */
  uses?(input: z.output<Input>): readonly Touch[];
  /** The call in one line, for the question whether it may run; default: its command, path or name. */
  title?(input: z.output<Input>): string;
  /** Unified diff of what a call would change, without changing it. */
  preview?(context: Pick<ToolContext, "paths">, input: z.output<Input>): Promise<string>;
  /** A thrown error becomes an error result; the reason of the signal is passed on. */
  run(context: ToolContext, input: z.output<Input>): Promise<ToolResult>;
}

/** Something outside of the agent that a call reads or changes. */
export type Touch =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly overwrites?: boolean }
  | { readonly kind: "host"; readonly host: string }
  /** The memory, which keeps a history of its own; what would stand there as the person's. */
  | { readonly kind: "memory"; readonly claims?: readonly Claim[] }
  /** `version`: of a tool that another program describes, and may describe otherwise later. */
  | { readonly kind: "unknown"; readonly version?: string };

export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly paths: ProjectPaths;
  /** Processes of the run: they end with it, unless they were sent to the background. */
  readonly processes: ProcessTable;
  /** Shows the last lines of what is at work. */
  readonly report?: (output: string) => void;
  /** Shows how far a list of steps has come, replacing what it showed before. */
  readonly showProgress?: (items: readonly ProgressItem[]) => void;
  /** Commands of this call get the network, where a sandbox keeps it shut. */
  readonly network?: boolean;
  /** Name of the credential that commands of this call may read, which a sandbox hides. */
  readonly credential?: string;
  /** Commands of this call get nothing to write, where a sandbox can keep it from them. */
  readonly readOnly?: boolean;
  /** Why this is put to the person instead of being remembered; absent: it is remembered. */
  readonly asProposal?: string;
}

export interface ToolResult {
  readonly text: string;
  /** What a person sees, one or two lines; default: the first line of `text`. */
  readonly summary?: string;
  /** Unified diff. */
  readonly diff?: string;
  readonly isError?: boolean;
  /** What the model sees beside `text`. */
  readonly pictures?: readonly Picture[];
  /** `text` without what differs between equal results, such as the time that was taken. */
  readonly comparableText?: string;
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

export function errorResult(text: string): ToolResult {
  return { text, isError: true };
}
