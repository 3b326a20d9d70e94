import type { z } from "zod";
import { isPlainObject, jsonIn } from "../../shared/json.ts";
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

/**
 * The arguments of a call as the schema of its tool has them. Forms that models send in place of
 * them are understood where nothing else can be meant: fields under the names of other tools, lists
 * and numbers as JSON text, one item in place of a list of one.
 */
export function readInput(
  tool: Pick<Tool, "input" | "aliases">,
  given: unknown,
): z.ZodSafeParseResult<Record<string, unknown>> {
  let input = withKnownNames(given, tool.aliases ?? {});
  for (let attempt = 0; ; attempt += 1) {
    const read = tool.input.safeParse(input);
    if (read.success || attempt === MAX_ATTEMPTS) return read;
    const amended = amend(input, read.error.issues);
    if (amended === undefined) return read;
    input = amended;
  }
}

/** A list as text, of items as text. */
const MAX_ATTEMPTS = 3;

function withKnownNames(given: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (!isPlainObject(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => {
    const name = aliases[key];
    return [name !== undefined && !(name in given) ? name : key, value];
  });
  return Object.fromEntries(entries);
}

type Issue = z.core.$ZodIssue;

/** The input with each value replaced that has another type than it should; undefined: none could. */
function amend(input: unknown, issues: readonly Issue[]): unknown {
  let amended = input;
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const value = valueAt(amended, issue.path);
    const better = asType(value, issue.expected);
    if (better !== undefined) amended = replaceAt(amended, issue.path, better);
  }
  return amended === input ? undefined : amended;
}

function asType(value: unknown, expected: string): unknown {
  if (typeof value === "string") {
    const parsed = jsonIn(value);
    if (typeOf(parsed) === (expected === "int" ? "number" : expected)) return parsed;
    return expected === "array" && isPlainObject(parsed) ? [parsed] : undefined;
  }
  return expected === "array" && isPlainObject(value) ? [value] : undefined;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}

function replaceAt(input: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = replaceAt((input as Record<PropertyKey, unknown>)[key], rest, value);
  if (Array.isArray(input)) return input.with(Number(key), inner);
  return { ...(input as Record<PropertyKey, unknown>), [key]: inner };
}
