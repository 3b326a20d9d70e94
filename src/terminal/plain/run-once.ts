import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import { untilSettled } from "../../agent/index.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import type { Connection } from "../session/connection.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { eventLine } from "./json-lines.ts";
import { openThread } from "./open-thread.ts";
import { createPlainRenderer } from "./plain-renderer.ts";
import { readPipedInput } from "./read-piped-input.ts";
import { RunSummary } from "./run-result.ts";

/** One message, its answer, and out: 0, 1 when the run failed, 130 when it was interrupted. */
export async function runOnce(options: TerminalOptions): Promise<number> {
  const { stdout, stderr, outputFormat = "text" } = options;
  const summary = new RunSummary();
  let connection: Connection | undefined;
  let code = 1;
  try {
    const text = await wholePrompt(options);
    connection = await options.connect({
      onNotice: (message) => stderr.write(`cairn: ${message}\n`),
      isUnattended: !canAsk(options),
    });
    await sayWhatConfines(connection, options);
    const threadId = await openThread(connection.host, options.resume);
    summary.session = threadId;
    code = await converse(options, { host: connection.host, threadId, text, summary });
  } catch (error) {
    summary.fail(messageOf(error));
    if (outputFormat === "text") stderr.write(`cairn: error: ${messageOf(error)}\n`);
  } finally {
    await connection?.close();
  }
  if (outputFormat !== "text") stdout.write(eventLine(summary.result()));
  return code;
}

function canAsk({ stdin, stdout, outputFormat = "text", isDumb }: TerminalOptions): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && outputFormat === "text" && !isDumb;
}

const OFF_BY_SETTING = "off (by setting)";

/** With a sandbox nothing needs to be said; without one, what would ask is denied. */
async function sayWhatConfines({ host }: Connection, options: TerminalOptions): Promise<void> {
  const mode = await host.permission.settled;
  const { sandbox } = host.info;
  if (!sandbox.startsWith("off") || (mode === "auto" && sandbox === OFF_BY_SETTING)) return;
  const consequence =
    mode === "auto"
      ? "In mode auto a program runs with all of your rights, whatever it does"
      : `In mode ${mode}, what would ask is denied; --permission auto runs it`;
  options.stderr.write(`cairn: No sandbox confines commands: ${sandbox}. ${consequence}.\n`);
}

async function wholePrompt({ stdin, prompt }: TerminalOptions): Promise<string> {
  const piped = await readPipedInput(stdin, prompt !== undefined);
  const text = [prompt ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
  if (text !== "") return text;
  throw new CairnError(
    "invalid_input",
    'There is no prompt: write cairn "what to do", pipe one in, or start cairn in a terminal.',
  );
}

interface Exchange {
  readonly host: ThreadHost;
  readonly threadId: string;
  readonly text: string;
  readonly summary: RunSummary;
}

async function converse(
  options: TerminalOptions,
  { host, threadId, text, summary }: Exchange,
): Promise<number> {
  const { stdin, stdout, stderr, outputFormat = "text" } = options;
  let code = 0;
  const renderer = createPlainRenderer({
    out: (shown) => stdout.write(shown),
    err: (shown) => stderr.write(shown),
  });
  const onPrompt = async () => {
    if (canAsk(options)) return answerFromTerminal(host, threadId, { stdin, stdout });
    code = 1;
    const message = "This asks for a reply and there is no terminal to give it: run it in cairn.";
    summary.fail(message);
    stderr.write(`cairn: ${message}\n`);
    await host.cancel(threadId, { queued: "drop" });
  };
  const onEvent = (event: AgentEvent) => {
    if (event.threadId !== threadId) return;
    if (event.type === "error") code = 1;
    if (event.type === "status" && event.phase === "aborted") code ||= 1;
    summary.add(event);
    if (outputFormat === "stream-json") stdout.write(eventLine(event));
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
  // The reader went away (`| head`): nobody is left to work for.
  stdout.once("error", stop);
  try {
    await host.send(threadId, text);
    await untilSettled(host, threadId);
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
  const left = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  lines.once("SIGINT", () => lines.close());
  const reply = await Promise.race([lines.question("> "), left]);
  lines.close();
  if (reply === undefined) await host.cancel(threadId, { queued: "drop" });
  else if (reply.trim() !== "") await host.send(threadId, reply);
  else await answerFromTerminal(host, threadId, { stdin, stdout });
}
