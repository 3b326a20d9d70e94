import { fstatSync } from "node:fs";
import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import { type TokenUsage, waitUntilSettled } from "../../agent/index.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { stripControl } from "../../shared/text.ts";
import type { Connection } from "../session/connection.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { createPlainRenderer } from "./plain-renderer.ts";
import { openThread } from "./run-lines.ts";

interface RunResult {
  readonly type: "result";
  readonly outcome: "completed" | "failed" | "aborted";
  readonly text: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly cost: number | null;
  readonly duration_ms: number;
  /** For `cairn --resume`; null if no session was created. */
  readonly session: string | null;
  readonly errors: readonly string[];
}

class RunSummary {
  readonly #startedAt = Date.now();
  readonly #errors: string[] = [];
  #text = "";
  #usage = { inputTokens: 0, outputTokens: 0 };
  /** Null until the first usage, and after a request of unknown price. */
  #cost: number | null = null;
  #isAborted = false;
  session: string | null = null;

  add(event: AgentEvent): void {
    if (event.type === "error") this.fail(event.message);
    if (event.type === "status") {
      if (event.phase === "aborted") this.#isAborted = true;
      this.#count(event.usage);
    }
    if (event.type !== "assistant.done") return;
    this.#count(event.usage);
    if (event.contextLabel === undefined) this.#text = event.text;
  }

  #count(usage: TokenUsage | undefined): void {
    if (usage === undefined) return;
    this.#cost = usage.cost ?? null;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
    };
  }

  fail(message: string): void {
    this.#errors.push(message);
  }

  result(): RunResult {
    const failed = this.#errors.length > 0 ? "failed" : "completed";
    return {
      type: "result",
      outcome: this.#isAborted ? "aborted" : failed,
      text: this.#text,
      usage: this.#usage,
      cost: this.#cost,
      duration_ms: Date.now() - this.#startedAt,
      session: this.session,
      errors: this.#errors,
    };
  }
}

const MAX_INPUT_BYTES = 8 * 1024 * 1024;
/** Timeout for a possibly silent pipe if a prompt was given. */
const FIRST_BYTE_TIMEOUT_MS = 3000;

/**
 * Reads piped input as UTF-8 (invalid bytes become U+FFFD). With `isOptional`, a silent pipe counts
 * as empty. Throws too_large.
 */
async function readPipedInput(stdin: NodeJS.ReadStream, isOptional: boolean): Promise<string> {
  if (stdin.isTTY === true || !isPipe(stdin)) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  const reading = (async () => {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk as Buffer);
      size += bytes.length;
      if (size > MAX_INPUT_BYTES) {
        throw new CairnError("too_large", "The piped input is larger than 8 MiB. Pipe less.");
      }
      chunks.push(bytes);
    }
  })();
  if (!isOptional) await reading;
  else await Promise.race([reading, failOnSilence(() => size > 0, reading)]);
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves after a period without data; once data has arrived, waits for the end. */
async function failOnSilence(hasStarted: () => boolean, reading: Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FIRST_BYTE_TIMEOUT_MS).unref());
  if (hasStarted()) await reading;
}

function isPipe(stdin: NodeJS.ReadStream): boolean {
  try {
    const stat = fstatSync("fd" in stdin ? Number(stdin.fd) : 0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Formats an event as a JSON line without control sequences. */
function formatEvent(event: AgentEvent | RunResult): string {
  return `${JSON.stringify(stripControlDeep(event))}\n`;
}

const MAX_DEPTH = 64;

function stripControlDeep(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return stripControl(value);
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.map((inner) => stripControlDeep(inner, depth + 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      stripControl(key),
      stripControlDeep(inner, depth + 1),
    ]),
  );
}

/** Runs one message and exits: 0, 1 if it failed, 130 if interrupted. */
export async function runOnce(options: TerminalOptions): Promise<number> {
  const { stdout, stderr, outputFormat = "text" } = options;
  const summary = new RunSummary();
  let connection: Connection | undefined;
  let code = 1;
  try {
    const text = await createPrompt(options);
    connection = await options.connect({
      onNotice: (message) => stderr.write(`cairn: ${message}\n`),
      isUnattended: !canAsk(options),
    });
    await printConfinement(connection, options);
    const threadId = await openThread(connection.host, options.resume);
    summary.session = threadId;
    code = await runExchange(options, { host: connection.host, threadId, text, summary });
  } catch (error) {
    summary.fail(messageOf(error));
    if (outputFormat === "text") stderr.write(`cairn: error: ${messageOf(error)}\n`);
  } finally {
    await connection?.close();
  }
  if (outputFormat !== "text") stdout.write(formatEvent(summary.result()));
  return code;
}

function canAsk({ stdin, stdout, outputFormat = "text", isDumb }: TerminalOptions): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && outputFormat === "text" && !isDumb;
}

const OFF_BY_SETTING = "off (by setting)";

async function printConfinement({ host }: Connection, options: TerminalOptions): Promise<void> {
  const mode = await host.permission.settled;
  const { sandbox } = host.info;
  if (!sandbox.startsWith("off") || (mode === "auto" && sandbox === OFF_BY_SETTING)) return;
  const consequence =
    mode === "auto"
      ? "In auto mode, programs run with all of your permissions"
      : `In ${mode} mode, calls that need approval are denied; --permission auto allows them`;
  options.stderr.write(`cairn: No sandbox confines commands: ${sandbox}. ${consequence}.\n`);
}

async function createPrompt({ stdin, prompt }: TerminalOptions): Promise<string> {
  const piped = await readPipedInput(stdin, prompt !== undefined);
  const text = [prompt ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
  if (text !== "") return text;
  throw new CairnError(
    "invalid_input",
    'There is no prompt. Pass one (cairn "what to do"), pipe it in, or start cairn in a terminal.',
  );
}

interface Exchange {
  readonly host: ThreadHost;
  readonly threadId: string;
  readonly text: string;
  readonly summary: RunSummary;
}

async function runExchange(
  options: TerminalOptions,
  { host, threadId, text, summary }: Exchange,
): Promise<number> {
  const { stdin, stdout, stderr, outputFormat = "text" } = options;
  let code = 0;
  const renderer = createPlainRenderer({
    out: (output) => stdout.write(output),
    err: (output) => stderr.write(output),
  });
  const onPrompt = async () => {
    if (canAsk(options)) return answerFromTerminal(host, threadId, { stdin, stdout });
    code = 1;
    const message =
      "This command asks a question, which requires a terminal. Run it in an interactive session.";
    summary.fail(message);
    stderr.write(`cairn: ${message}\n`);
    await host.cancel(threadId, { queued: "drop" });
  };
  const onEvent = (event: AgentEvent) => {
    if (event.threadId !== threadId) return;
    if (event.type === "error") code = 1;
    if (event.type === "status" && event.phase === "aborted") code ||= 1;
    summary.add(event);
    if (outputFormat === "stream-json") stdout.write(formatEvent(event));
    if (outputFormat === "text") renderer.show(event);
    if (event.type === "status" && event.phase === "prompt") setImmediate(() => void onPrompt());
  };
  const unsubscribe = host.subscribe(onEvent);
  const stop = () => {
    if (code === 130) process.exit(130);
    code = 130;
    void host.cancel(threadId, { queued: "drop" });
  };
  process.on("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.once("SIGHUP", stop);
  // The reader closed the pipe (`| head`).
  stdout.once("error", stop);
  try {
    await host.send(threadId, text);
    await waitUntilSettled(host, threadId);
    if (outputFormat === "text") renderer.end();
    return code;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    process.off("SIGHUP", stop);
    unsubscribe();
  }
}

async function answerFromTerminal(
  host: ThreadHost,
  threadId: string,
  { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream },
): Promise<void> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: stdin, output: stdout });
  const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  lines.once("SIGINT", () => lines.close());
  const reply = await Promise.race([lines.question("> "), closed]);
  lines.close();
  if (reply === undefined) await host.cancel(threadId, { queued: "drop" });
  else if (reply.trim() !== "") await host.send(threadId, reply);
  else await answerFromTerminal(host, threadId, { stdin, stdout });
}
