import { isPlainObject } from "../../kernel/json.ts";

/** What a client tells its hooks, under one name for all of them. */
export interface HookInput {
  readonly session: string | undefined;
  /** Absolute folder in which the session works. */
  readonly cwd: string | undefined;
  readonly prompt: string | undefined;
  readonly transcriptPath: string | undefined;
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string | undefined;
}

/** The names that clients give to each, the most usual first. */
const NAMES = {
  session: ["session_id", "sessionId", "conversation_id", "conversationId", "taskId"],
  cwd: ["cwd", "workingDirectory", "workspace_roots", "workspaceRoots"],
  prompt: ["prompt", "user_prompt", "initialPrompt", "message"],
  transcriptPath: ["transcript_path", "transcriptPath"],
  source: ["source"],
} as const satisfies Record<keyof HookInput, readonly string[]>;

/** Reads the JSON that a client writes to a hook. Throws SyntaxError for what is none. */
export function readHookInput(text: string): HookInput {
  const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
  const given = isPlainObject(value) ? value : {};
  const field = (name: keyof HookInput) => firstText(given, NAMES[name]);
  return {
    session: field("session"),
    cwd: field("cwd"),
    prompt: field("prompt"),
    transcriptPath: field("transcriptPath"),
    source: field("source"),
  };
}

function firstText(given: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = given[name];
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
