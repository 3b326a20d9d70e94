import { createInterface } from "node:readline";
import type { Asker, OpenQuestion } from "../../agent/index.ts";
import { sleep } from "../../shared/async.ts";
import { showControl } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";

/**
 * Asks questions one after another on the terminal that started the run; undefined without a
 * terminal.
 */
export function askOnTerminal({ stdin, stderr }: CommandLine): Asker | undefined {
  if (stdin.isTTY !== true) return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = last.then(() => ask(question, signal));
    last = answer.catch(() => undefined);
    return answer;
  };

  async function ask(question: OpenQuestion, signal: AbortSignal) {
    signal.throwIfAborted();
    stderr.write(`\n${wordsOf(question)}\n`);
    const lines = createInterface({ input: stdin, output: stderr });
    try {
      for (;;) {
        const text = await nextLine(lines, signal, promptOf(question));
        if (question.kind === "words") {
          if (text !== "") return { decision: "once" as const, message: text };
        } else if (/^y(es)?$/i.test(text)) return { decision: "once" as const };
        else if (/^n(o)?\b/i.test(text)) {
          return { decision: "no" as const, message: text.replace(/^n(o)?\b[\s,:]*/i, "") };
        }
      }
    } finally {
      lines.close();
    }
  }
}

function promptOf({ kind, task }: OpenQuestion): string {
  return kind === "words"
    ? `[${task.id}] answer: `
    : `[${task.id}] y, or n and what to do instead: `;
}

/** The question in full, without anything that could move the cursor. */
function wordsOf({ task, title, text, reason, choices = [] }: OpenQuestion): string {
  const lines = [
    `[${task.id}] ${task.name} asks: ${title}`,
    ...(text === "" || text === title ? [] : [text]),
    ...(reason === "" ? [] : [`because ${reason}`]),
    ...choices.map(({ key, label }) => `  ${key}: ${label}`),
  ];
  return lines.join("\n").split("\n").map(showControl).join("\n");
}

function nextLine(
  lines: ReturnType<typeof createInterface>,
  signal: AbortSignal,
  prompt: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    lines.once("close", () => {
      // The terminal is closed, but other ways to answer stay open.
      sleep(2 ** 31 - 1, signal).catch(reject);
    });
    lines.question(prompt, (text) => {
      signal.removeEventListener("abort", onAbort);
      resolve(text.trim());
    });
  });
}
