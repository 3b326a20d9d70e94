import type { PermissionAnswer, PermissionNotice, PermissionQuestion } from "../../agent/index.ts";
import { append } from "./reduce-event.ts";
import type { FinishedItem, Screen } from "./screen.ts";

/** Nobody has read a card so soon; milliseconds. */
const READING_MS = 500;
const TYPING_ON_MS = 1500;
/** The last character came so recently that more will. */
const STILL_TYPING_MS = 2000;

/** Shows the card of a call that waits for consent, and puts the question away once it is settled. */
export function reducePermission(screen: Screen, notice: PermissionNotice, now: number): Screen {
  if (notice.type === "permission.settled") {
    const isOpen = screen.prompt?.questionId === notice.questionId;
    return isOpen ? { ...screen, prompt: undefined } : screen;
  }
  const { question } = notice;
  if (question.threadId !== screen.threadId) return screen;
  const { questionId, always } = question;
  const choices = [
    { key: "y", label: "once" },
    ...(always.length === 0
      ? []
      : [
          { key: "s", label: "in this session" },
          { key: "a", label: `always: ${always.join(", ")}` },
        ]),
    { key: "n", label: "no (or write what to do instead)" },
  ];
  const isTyping = now - screen.typedAt < STILL_TYPING_MS;
  const readyAt = now + (isTyping ? TYPING_ON_MS : READING_MS);
  // Enter does not allow what may not be on the screen any more.
  const selected = isLong(question) ? choices.length - 1 : 0;
  const prompt = { question: question.title, choices, selected, questionId, readyAt };
  return { ...append(screen, ...cardOf(question)), prompt };
}

export function permissionAnswer(text: string): PermissionAnswer {
  const key = text.trim();
  if (key === "y") return { decision: "once" };
  if (key === "s") return { decision: "session" };
  if (key === "a") return { decision: "always" };
  return key === "n" ? { decision: "no" } : { decision: "no", message: key };
}

/** Rows that the smallest of usual terminals shows above the choices. */
const ROWS = 12;
const COLUMNS = 76;

/** True if a part of it may have scrolled off the screen by the time that it is answered. */
function isLong({ command, diff, title }: PermissionQuestion): boolean {
  const lines = `${command ?? title}\n${diff ?? ""}`.trimEnd().split("\n");
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
  return rows > ROWS;
}

function cardOf(question: PermissionQuestion): readonly FinishedItem[] {
  const { tool, title, command, diff, reason, contextLabel } = question;
  const who = contextLabel === undefined ? "" : `${contextLabel} `;
  const why = reason === "" ? "" : `${reason[0]?.toUpperCase()}${reason.slice(1)}.`;
  const head = `${who}Allow ${tool}?`;
  const subject = command ?? title;
  const card: FinishedItem[] = [
    { kind: "consent", head, subject, why, isLong: isLong(question) && diff === undefined },
  ];
  if (diff === undefined) return card;
  const shown = { kind: "tool" as const, name: tool, about: title, summary: "would change" };
  return [...card, { ...shown, diff, isPreview: true, isError: false, unfolded: true }];
}
