import { statSync } from "node:fs";
import type { App, AppOptions } from "../../app/index.ts";
import { type Client, HOOK_EVENTS, type HookEvent, requireClient } from "../../clients/index.ts";
import {
  extractTypedText,
  type HookSession,
  readSession,
  sessionFile,
} from "../../ingest/capture/index.ts";
import type { Clock } from "../../shared/clock.ts";
import { workClock } from "../../shared/deadline.ts";
import { isPlainObject } from "../../shared/json.ts";
import { readPayload } from "../../shared/read-payload.ts";
import { toWellFormedJson } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions } from "../command-line.ts";

/** Hook input, normalized across clients. */
interface HookInput {
  readonly session: string | undefined;
  /** Absolute working folder of the session. */
  readonly cwd: string | undefined;
  readonly prompt: string | undefined;
  readonly transcriptPath: string | undefined;
  /** Reason for a session start: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string | undefined;
  /** Reason for a compaction: `manual`, `auto`. */
  readonly trigger: string | undefined;
  readonly tool: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
}

/** Field names used by clients, most common first. */
const FIELD_NAMES = {
  session: ["session_id", "sessionId", "conversation_id", "conversationId", "taskId"],
  cwd: ["cwd", "workingDirectory", "workspace_roots", "workspaceRoots"],
  prompt: ["prompt", "user_prompt", "initialPrompt", "message"],
  transcriptPath: ["transcript_path", "transcriptPath"],
  source: ["source"],
  trigger: ["trigger"],
  tool: ["tool_name", "toolName"],
} as const satisfies Partial<Record<keyof HookInput, readonly string[]>>;

const TOOL_INPUTS = ["tool_input", "toolInput", "toolArgs", "tool_args"];

/** Throws SyntaxError for invalid JSON. */
function readHookInput(text: string): HookInput {
  const json = text.replace(/^\uFEFF+/, "").trim();
  const value: unknown = json === "" ? {} : toWellFormedJson(JSON.parse(json));
  const input = isPlainObject(value) ? value : {};
  const field = (name: keyof typeof FIELD_NAMES) => firstText(input, FIELD_NAMES[name]);
  return {
    session: field("session"),
    cwd: field("cwd"),
    prompt: cleanPrompt(field("prompt")),
    transcriptPath: field("transcriptPath"),
    source: field("source"),
    trigger: field("trigger"),
    tool: field("tool"),
    toolInput: toolInput(input),
  };
}

/** Some clients put context, such as earlier hook output, before the prompt. */
function cleanPrompt(prompt: string | undefined): string | undefined {
  return prompt === undefined ? undefined : extractTypedText(prompt);
}

/** Some clients send arguments as JSON text. */
function toolInput(input: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const value = TOOL_INPUTS.map((name) => input[name]).find((found) => found !== undefined);
  const read: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return isPlainObject(read) ? read : {};
}

function firstText(input: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = input[name];
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/**
 * Recall budget for a prompt, which the user waits for. Measured in CPU time of this process, so
 * that a busy machine does not expire it before anything was read.
 */
const TIMEOUT_MS = 300;
/**
 * Higher if this process embeds the prompt: loading the model takes 200 ms. Missing vectors get the
 * rest.
 */
const TIMEOUT_WITH_MODEL_MS = 600;
const DAEMON_TIMEOUT_MS = 1_500;

export interface HookRun {
  readonly client: Client;
  readonly event: HookEvent;
  readonly input: HookInput;
  /** Existing working folder of the session. */
  readonly cwd: string;
  readonly app: AppOptions;
  /** Prints to stderr which settings may not choose the memory. Never suppressed. */
  readonly reportRefused: (app: App) => void;
  /** Recall timeout in milliseconds. */
  readonly recallTimeoutMs: number;
  /** Clock for `recallTimeoutMs`; default: wall clock. */
  readonly clock: Clock | undefined;
  readonly longRunning: CommandLine["longRunning"];
  /** Schedules work after the response was printed. */
  readonly afterwards: (work: () => Promise<void>) => void;
}

type HookOptions = Readonly<Record<string, unknown>> & Pick<HookRun, "afterwards">;

/** Throws if standard input is invalid. */
export async function readHookRun(
  line: CommandLine,
  [name = "", moment = ""]: readonly string[],
  options: HookOptions,
): Promise<HookRun> {
  const { db, dataDir, database, embeddingProvider, afterwards } = options;
  // Hooks that earlier versions installed pass `--patience`.
  const timeoutMs = Number(options.timeout ?? options.patience);
  const client = requireClient(name);
  const event = HOOK_EVENTS.find((known) => known === moment);
  if (event === undefined) throw new Error(`there is no event "${moment}"`);
  const input = readHookInput(
    line.stdin.isTTY === true ? "" : (await readPayload(line.stdin)).toString("utf8"),
  );
  const cwd = existingFolder(input.cwd) ?? line.cwd;
  const app = appOptions({ ...line, cwd }, { db, dataDir, database, embeddingProvider });
  const ownTimeoutMs = embeddingProvider === "none" ? TIMEOUT_MS : TIMEOUT_WITH_MODEL_MS;
  const usual = line.longRunning === undefined ? ownTimeoutMs : DAEMON_TIMEOUT_MS;
  const recallTimeoutMs = timeoutMs > 0 ? timeoutMs : usual;
  const clock = line.longRunning === undefined ? workClock() : undefined;
  const reportRefused = ({ config }: App) => {
    for (const sentence of config.refused) line.stderr.write(`cairn hook: ${sentence}\n`);
  };
  const { longRunning } = line;
  return {
    client,
    event,
    input,
    cwd,
    app,
    recallTimeoutMs,
    clock,
    reportRefused,
    longRunning,
    afterwards,
  };
}

export interface StoredSession {
  readonly name: string;
  readonly file: string;
  readonly known: HookSession;
}

export function loadSession({ client, input, cwd }: HookRun, { config }: App): StoredSession {
  const name = input.session ?? input.transcriptPath ?? cwd;
  const file = sessionFile(config.dataDir, client.name, name);
  return { name, file, known: readSession(file) };
}

function existingFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
}
