import type { z } from "zod";
import { isPlainObject, tryParseJson } from "../../shared/json.ts";
import type { Picture } from "../images/picture.ts";
import type { ProgressItem } from "../ports/dialogue.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { Claim } from "./claims.ts";
import type { ProjectPaths } from "./project-paths.ts";

/** Input that does not fit the schema never reaches `run`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** JSON Schema for the model instead of that of `input`: for tools of MCP servers. */
  readonly inputSchema?: object;
  /** Changes neither files nor memory and starts no process. */
  readonly readOnly: boolean;
  /**
   * Part of the project that a tool which is not `readOnly` may change: the file at its `path`, nothing,
   * or, by default, anything.
   */
  readonly touches?: "path" | "nothing";
  /** Alternative names that models use for a field, with the name here. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** `run` gets the model's arguments and validates them itself. */
  readonly checksInput?: true;
  /** Without it, a tool that is not `readOnly` may do anything. */
  uses?(input: z.output<Input>): readonly Touch[];
  /** One line for the question; default: the command, path or name. */
  title?(input: z.output<Input>): string;
  /** Unified diff of what a call would change. */
  preview?(context: Pick<ToolContext, "paths">, input: z.output<Input>): Promise<string>;
  /** A thrown error becomes an error result; the reason of the signal is passed on. */
  run(context: ToolContext, input: z.output<Input>): Promise<ToolResult>;
}

export type Touch =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly overwrites?: boolean }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "memory"; readonly claims?: readonly Claim[] }
  | { readonly kind: "unknown"; readonly version?: string };

export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly paths: ProjectPaths;
  /** Processes of the run; those in the background outlive it. */
  readonly processes: ProcessTable;
  readonly report?: (output: string) => void;
  readonly showProgress?: (items: readonly ProgressItem[]) => void;
  readonly network?: boolean;
  readonly credential?: string;
  readonly readOnly?: boolean;
  /** Reason why a memory becomes a proposal instead of being stored. */
  readonly asProposal?: string;
}

export interface ToolResult {
  readonly text: string;
  /** Shown to the user, one or two lines; default: the first line of `text`. */
  readonly summary?: string;
  readonly diff?: string;
  readonly isError?: boolean;
  readonly pictures?: readonly Picture[];
  /** `text` without what differs between equal results, such as durations. */
  readonly comparableText?: string;
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

export function errorResult(text: string): ToolResult {
  return { text, isError: true };
}

/**
 * Parses the arguments of a call by its tool's schema. Accepts unambiguous variants that models
 * send: field names of other tools, lists and numbers as JSON text, a single item for a list.
 */
export function readInput(
  tool: Pick<Tool, "input" | "aliases">,
  options: unknown,
): z.ZodSafeParseResult<Record<string, unknown>> {
  let input = renameKnownFields(options, tool.aliases ?? {});
  for (let attempt = 0; ; attempt += 1) {
    const read = tool.input.safeParse(input);
    if (read.success || attempt === MAX_ATTEMPTS) return read;
    const amended = amendInput(input, read.error.issues);
    if (amended === undefined) return read;
    input = amended;
  }
}

/** A list as text, whose items are text. */
const MAX_ATTEMPTS = 3;

function renameKnownFields(input: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (!isPlainObject(input)) return input;
  const entries = Object.entries(input).map(([key, value]) => {
    const name = aliases[key];
    return [name !== undefined && !(name in input) ? name : key, value];
  });
  return Object.fromEntries(entries);
}

type Issue = z.core.$ZodIssue;

/** Replaces values of a wrong type; undefined if none could be. */
function amendInput(input: unknown, issues: readonly Issue[]): unknown {
  let amended = input;
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const value = valueAt(amended, issue.path);
    const better = convertType(value, issue.expected);
    if (better !== undefined) amended = replaceAt(amended, issue.path, better);
  }
  return amended === input ? undefined : amended;
}

function convertType(value: unknown, expected: string): unknown {
  if (typeof value === "string") {
    const parsed = tryParseJson(value);
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
