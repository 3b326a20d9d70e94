import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { sleep } from "../../shared/async.ts";
import { invalidInput } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { Choice } from "../ports/dialogue.ts";
import type { PermissionAnswer } from "../ports/permission-question.ts";
import type { RunLog, RunPlace } from "./run-log.ts";

export interface RunQuestion {
  readonly task: string;
  readonly kind: "permission" | "text";
  readonly title: string;
  readonly text: string;
  readonly reason: string;
  readonly choices: readonly Choice[];
}

const POLL_MS = 400;
const answerFile = z.object({ answer: z.string() });

/** Waits for `cairn run answer`. An unanswered question of an earlier process keeps its id. */
export async function askInRun(
  { log, place, tell }: { log: RunLog; place: RunPlace; tell: (line: string) => void },
  request: RunQuestion,
  signal: AbortSignal,
): Promise<string> {
  const key = createHash("sha256")
    .update(JSON.stringify([request.task, request.kind, request.title, request.text]))
    .digest("hex")
    .slice(0, 6);
  const answered = log.state.questions.filter(
    ({ question, answer }) => question.startsWith(`${key}-`) && answer !== undefined,
  );
  const question = `${key}-${answered.length + 1}`;
  if (!log.state.questions.some((one) => one.question === question)) {
    log.add({ type: "asked", question, ...request, choices: [...request.choices] });
  }
  const reply = request.kind === "permission" ? "yes|no" : "TEXT";
  tell(`[${request.task}] asks: ${request.title}; \`cairn run answer ${question} ${reply}\``);
  const file = answerPath(place, question);
  while (!existsSync(file)) await sleep(POLL_MS, signal);
  const { answer } = answerFile.parse(JSON.parse(readFileSync(file, "utf8")));
  log.add({ type: "answered", question, answer });
  return answer;
}

/** Stores an answer for the running process. Throws `invalid_input` for a blank one. */
export function giveAnswer(location: RunPlace, question: string, answer: string): void {
  if (answer.trim() === "") throw invalidInput("run answer: the answer is blank.");
  makeFolder(location.answers);
  writeFileAtomic.sync(answerPath(location, question), JSON.stringify({ answer }), { mode: 0o600 });
}

/** Only an exact "y" or "yes" allows; other words deny and are passed on as the reason. */
export function readPermissionAnswer(text: string): PermissionAnswer {
  const message = text.trim();
  if (/^y(es)?$/i.test(message)) return { decision: "once" };
  return /^no?$/i.test(message) ? { decision: "no" } : { decision: "no", message: message };
}

function answerPath({ answers }: RunPlace, question: string): string {
  return join(answers, `${question}.json`);
}
