import type { MessageOutput } from "../../agent/index.ts";
import { startShell } from "../../shared/programs.ts";
import { stripControl } from "../../shared/text.ts";
import { toRecallView } from "../memory/recall-view.ts";
import { permissionAnswer, userItem } from "../state/reduce.ts";
import type { FinishedTool, NoteTone } from "../state/screen.ts";
import type { MessageOutbox, SessionPort } from "./local-commands.ts";
import { drawHelp, runLocalCommand } from "./local-commands.ts";
import { createAnswerItem } from "./local-prompts.ts";

const MAX_OUTPUT_CHARACTERS = 32_000;
const SHELL_TIMEOUT_MS = 120_000;

/** Runs a `!` command in the project with the user's rights and no input. */
function runShellLine(command: string, cwd: string): Promise<FinishedTool> {
  return new Promise((resolve) => {
    const child = startShell(command, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: SHELL_TIMEOUT_MS,
    });
    let output = "";
    const add = (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT_CHARACTERS);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
    const end = (summary: string, isError: boolean) =>
      resolve({
        kind: "tool",
        name: "!",
        about: stripControl(command).replace(/\s+/g, " "),
        summary,
        output: stripControl(output).trimEnd(),
        isError,
        unfolded: true,
      });
    child.once("error", (error) => end(error.message, true));
    child.once("close", (code, signal) =>
      end(code === 0 ? "" : (signal ?? `exit code ${code}`), code !== 0),
    );
  });
}

interface SubmissionsOptions {
  readonly session: SessionPort;
  readonly mailbox: MessageOutbox;
  readonly projectRoot: string;
  readonly hasSetup: boolean;
  append(text: string): Promise<void>;
  inBackground(work: Promise<unknown>): void;
  startAgain(): Promise<void>;
}

export class Submissions {
  readonly #options: SubmissionsOptions;
  #submitted: Promise<void> = Promise.resolve();

  constructor(options: SubmissionsOptions) {
    this.#options = options;
  }

  take(text: string): void {
    const { session, inBackground } = this.#options;
    const { prompt } = session.screen;
    if (prompt?.questionId !== undefined) {
      this.#answerPermission(prompt.questionId, text);
      return;
    }
    if (session.questions.isOpen) {
      // Commands leave the prompt: memory works without a model.
      if (!text.startsWith("/")) {
        session.questions.answer(text.trim());
        return;
      }
      session.questions.leave();
    }
    const isReply = session.screen.prompt !== undefined;
    if (!isReply && /^\/(?:exit|quit)\s*$/.test(text)) {
      session.leave();
      return;
    }
    if (!isReply && /^!\s*\S/.test(text)) {
      inBackground(this.#runShellLine(text));
      return;
    }
    this.#submitted = this.#submitted.then(() => this.#submit(text, isReply));
    inBackground(this.#submitted);
  }

  #answerPermission(questionId: string, text: string): void {
    const { session } = this.#options;
    const { threadId, prompt } = session.screen;
    if (threadId === undefined || prompt === undefined) return;
    session.dispatch({ type: "append", items: [createAnswerItem(prompt, text)] });
    const answer = { ...permissionAnswer(text), by: "terminal" };
    this.#options.inBackground(
      (async () => session.connection?.host.permission.answer(threadId, questionId, answer))(),
    );
  }

  async #runShellLine(text: string): Promise<void> {
    const { session, projectRoot, append } = this.#options;
    await append(text);
    const done = await runShellLine(text.slice(1).trim(), projectRoot);
    session.dispatch({ type: "append", items: [done] });
  }

  async #submit(text: string, isReply: boolean): Promise<void> {
    const { session, mailbox, append, startAgain } = this.#options;
    if (!isReply) await append(text);
    const isHere = !isReply && session.connection !== undefined && (await this.#runHere(text));
    if (isHere) return;
    await mailbox.send(text);
    await startAgain();
  }

  /** Not awaited, so that prompts of the command can be answered meanwhile. */
  async #runHere(text: string): Promise<boolean> {
    const { session, inBackground, hasSetup } = this.#options;
    if (/^\/mcp\s+login\s/.test(text)) {
      inBackground(runLocally(session, text));
      return true;
    }
    if (!/^\/setup\s*$/.test(text)) return runLocally(session, text);
    inBackground(session.runSetup());
    return hasSetup;
  }
}

/** Runs a local command or an agent command that needs no run; false if it is neither. */
export async function runLocally(session: SessionPort, text: string): Promise<boolean> {
  if (await runLocalCommand(session, text)) return true;
  const host = session.connection?.host;
  if (host === undefined) return false;
  return host.runImmediate(text, {
    dialogue: createScreenOutput(session, text),
    threadId: session.screen.threadId,
    sessions: {
      resume: (threadId) => session.sessions.resume(threadId),
      pick: () => session.sessions.pick(),
    },
  });
}

function createScreenOutput(session: SessionPort, text: string): MessageOutput {
  let isEchoed = false;
  const echo = () => {
    if (!isEchoed) session.dispatch({ type: "append", items: [userItem(text)] });
    isEchoed = true;
  };
  const notify = (tone: NoteTone) => (message: string) => {
    echo();
    session.note(tone, stripControl(message));
  };
  return {
    info: notify("info"),
    success: notify("success"),
    print: notify("print"),
    error: notify("error"),
    show(view) {
      if (view.kind === "help") {
        notify("print")(drawHelp(view.commands));
        return;
      }
      echo();
      const recall = toRecallView(view.query, view.found, new Date());
      session.dispatch({ type: "append", items: [{ kind: "recall", recall }] });
    },
  };
}
