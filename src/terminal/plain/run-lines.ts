import { createInterface } from "node:readline";
import { type ThreadHost, waitForTurn } from "../../agent/index.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { stripControl } from "../../shared/text.ts";
import type { ResumeRequest } from "../session/local-commands.ts";
import { findLastWithMessages, listPastSessions } from "../session/past-sessions.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { createPlainRenderer } from "./plain-renderer.ts";

/** Runs a conversation line by line, for terminals without cursor control. */
export async function runLines(options: TerminalOptions): Promise<number> {
  const { stdin, stdout, stderr } = options;
  const lines = createInterface({ input: stdin, output: stdout, terminal: false });
  const waiting = lines[Symbol.asyncIterator]();
  const write = (text: string) => stdout.write(text);
  try {
    const connection = await options.connect({
      onNotice: (message) => stderr.write(`cairn: ${message}\n`),
    });
    const { host } = connection;
    let threadId = await openThread(host, options.resume);
    const renderer = createPlainRenderer({ out: write, err: write });
    const unsubscribe = host.subscribe((event) => {
      if (event.threadId === threadId) renderer.show(event);
    });
    const printMessage = (message: string) => void write(`${stripControl(message)}\n`);
    const asker = () => ({
      dialogue: {
        info: printMessage,
        success: printMessage,
        print: printMessage,
        error: printMessage,
      },
      threadId,
      sessions: {
        resume: async (requestedId: string) => {
          threadId = requestedId;
          printMessage(`Resuming ${host.find(requestedId).title ?? requestedId}.`);
        },
      },
    });
    const stop = () => {
      const isBusy = host.list().some((thread) => thread.threadId === threadId && thread.isRunning);
      if (isBusy) void host.cancel(threadId, { queued: "drop" });
      else lines.close();
    };
    process.on("SIGINT", stop);
    process.once("SIGHUP", () => lines.close());
    process.once("SIGTERM", () => lines.close());
    try {
      for (;;) {
        renderer.end();
        write("> ");
        const { value, done } = await waiting.next();
        if (done === true || /^\/(?:exit|quit)\s*$/.test(value)) return 0;
        if (value.trim() === "") continue;
        const isReply = host.find(threadId).pendingPrompt !== undefined;
        if (!isReply && (await host.runImmediate(value, asker()))) continue;
        await host.send(threadId, value).catch((error: unknown) => write(`${messageOf(error)}\n`));
        await waitForTurn(host, threadId);
      }
    } finally {
      process.off("SIGINT", stop);
      unsubscribe();
      await connection.close();
    }
  } catch (error) {
    stderr.write(`cairn: ${messageOf(error)}\n`);
    return 1;
  } finally {
    lines.close();
  }
}

export async function openThread(
  host: ThreadHost,
  resume: ResumeRequest | undefined,
): Promise<string> {
  if (resume === undefined) return (await host.create()).threadId;
  if (resume.kind === "thread") {
    return findLastWithMessages(host.list(), host.find(resume.threadId)).threadId;
  }
  const [latest] = listPastSessions(host.list(), undefined);
  if (latest !== undefined) return latest.threadId;
  throw new CairnError("not_found", "There is no earlier session in this project to resume.");
}
