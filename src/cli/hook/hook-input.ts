import { typedText } from "../../ingest/capture/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { toWellFormedJson } from "../../shared/text.ts";

/** The input of a client's hook, with one set of names for all clients. */
export interface HookInput {
  readonly session: string | undefined;
  /** The absolute folder in which the session works. */
  readonly cwd: string | undefined;
  readonly prompt: string | undefined;
  readonly transcriptPath: string | undefined;
  /** Why a session started: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string | undefined;
  /** Why the conversation is compacted: `manual`, `auto`. */
  readonly trigger: string | undefined;
  /** The tool that is about to be called. */
  readonly tool: string | undefined;
  readonly isGoingOn: boolean;
  /** The tool's arguments. */
  readonly toolInput: Readonly<Record<string, unknown>>;
}

/** The names that clients use for each field, most common first. */
const NAMES = {
  session: ["session_id", "sessionId", "conversation_id", "conversationId", "taskId"],
  cwd: ["cwd", "workingDirectory", "workspace_roots", "workspaceRoots"],
  prompt: ["prompt", "user_prompt", "initialPrompt", "message"],
  transcriptPath: ["transcript_path", "transcriptPath"],
  source: ["source"],
  trigger: ["trigger"],
  tool: ["tool_name", "toolName"],
} as const satisfies Partial<Record<keyof HookInput, readonly string[]>>;

const TOOL_INPUTS = ["tool_input", "toolInput", "toolArgs", "tool_args"];

/** Reads the JSON that a client sends to a hook. Throws SyntaxError if it is not JSON. */
export function readHookInput(text: string): HookInput {
  const json = text.replace(/^\uFEFF+/, "").trim();
  const value: unknown = json === "" ? {} : toWellFormedJson(JSON.parse(json));
  const given = isPlainObject(value) ? value : {};
  const field = (name: keyof typeof NAMES) => firstText(given, NAMES[name]);
  return {
    session: field("session"),
    cwd: field("cwd"),
    prompt: promptOf(field("prompt")),
    transcriptPath: field("transcriptPath"),
    source: field("source"),
    trigger: field("trigger"),
    tool: field("tool"),
    isGoingOn: given.stop_hook_active === true || Number(given.loop_count) > 0,
    toolInput: toolInput(given),
  };
}

/** Some clients put their own context, such as an earlier answer of a hook, before the prompt. */
function promptOf(prompt: string | undefined): string | undefined {
  return prompt === undefined ? undefined : typedText(prompt);
}

/** Some clients send the arguments as JSON text. */
function toolInput(given: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const value = TOOL_INPUTS.map((name) => given[name]).find((found) => found !== undefined);
  const read: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return isPlainObject(read) ? read : {};
}

function firstText(given: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = given[name];
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
