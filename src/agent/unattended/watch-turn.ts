import type { Choice } from "../ports/dialogue.ts";
import type { PermissionAnswer, PermissionQuestion } from "../ports/permission-question.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { untilTurn } from "../ports/until-settled.ts";
import type { NightTask } from "./night-task.ts";
import type { Questions } from "./questions.ts";

export interface Turn {
  /** Of the last step. */
  readonly said: string;
  /** What the run says went wrong; undefined: it came to its end. */
  readonly problem: string | undefined;
}

export interface TurnToWatch {
  readonly host: ThreadHost;
  readonly threadId: string;
  readonly task: NightTask;
  /** Undefined: nobody is asked. */
  readonly questions: Questions | undefined;
  readonly signal: AbortSignal;
}

/** Sends a message and resolves when the thread has ended upon it; what it asks is put to the person. */
export async function watchTurn(turn: TurnToWatch, message: string): Promise<Turn> {
  const { host, threadId, signal } = turn;
  let said = "";
  let problem: string | undefined;
  let choices: readonly Choice[] = [];
  const leave = host.subscribe((event) => {
    if (event.threadId !== threadId) return;
    if (event.type === "error") problem = event.message;
    if (event.type === "status" && event.phase === "prompt") choices = event.choices ?? [];
    if (event.type === "assistant.done" && event.contextLabel === undefined) said = event.text;
  });
  const onAbort = () => void host.cancel(threadId, { queued: "drop" }).catch(() => undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await host.send(threadId, message);
    if (signal.aborted) onAbort();
    for (;;) {
      await untilTurn(host, threadId);
      const info = host.list().find((thread) => thread.threadId === threadId);
      if (info?.pendingPrompt === undefined) break;
      await answerWords(turn, info.pendingPrompt, choices);
    }
    return { said, problem };
  } finally {
    signal.removeEventListener("abort", onAbort);
    leave();
  }
}

async function answerWords(
  { host, threadId, task, questions, signal }: TurnToWatch,
  text: string,
  choices: readonly Choice[],
) {
  const [title = ""] = text.split("\n", 1);
  const asked = { task, kind: "words", title, text, reason: "" } as const;
  const given = await questions
    ?.ask({ ...asked, ...(choices.length > 0 && { choices }) }, signal)
    .catch(() => undefined);
  // Aborted: the thread leaves the question by itself.
  if (signal.aborted) return;
  await host.send(threadId, given?.message || "Nobody answers: decide yourself.");
}

/** Puts every call that wants consent to the person; returns how to leave. */
export function putCallsTo(
  questions: Questions,
  { host, task, signal }: Pick<TurnToWatch, "host" | "task" | "signal">,
): () => void {
  const open = new Map<string, AbortController>();
  return host.permission.attach((notice) => {
    if (notice.type === "permission.settled") {
      open.get(notice.questionId)?.abort();
      open.delete(notice.questionId);
      return;
    }
    const { question } = notice;
    if (open.has(question.questionId)) return;
    const ended = new AbortController();
    open.set(question.questionId, ended);
    const asked = {
      task,
      kind: "permission" as const,
      tool: question.tool,
      title: `${question.tool} ${question.title}`.trim(),
      text: question.command ?? question.diff ?? "",
      reason: question.reason,
    };
    questions
      .ask(asked, AbortSignal.any([signal, ended.signal]))
      .then((answer) => settle(host, question, answer))
      // The run ended first: nobody has to answer any more.
      .catch(() => undefined);
  });
}

function settle(
  host: ThreadHost,
  { threadId, questionId }: PermissionQuestion,
  answer: PermissionAnswer,
): void {
  host.permission.answer(threadId, questionId, answer);
}
