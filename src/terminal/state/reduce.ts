import type {
  AgentEvent,
  PermissionAnswer,
  PermissionNotice,
  PermissionQuestion,
} from "../../agent/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { Completion } from "../completion/complete-path.ts";
import { setText } from "../editor/editor.ts";
import type { Paint } from "../text/style.ts";
import { groupFinishedReads } from "./group-reads.ts";
import { appendItem, appendNote, reduceEvent } from "./reduce-event.ts";
import {
  createScreen,
  type FinishedItem,
  type NoteTone,
  type Picker,
  type Screen,
  type StatusData,
} from "./screen.ts";

/** Minimum time to read a card, in milliseconds. */
const READING_GUARD_MS = 500;
const TYPING_GUARD_MS = 1500;
/** Time after a keystroke in which more are expected. */
const TYPING_WINDOW_MS = 2000;

/** Shows the card of a call awaiting permission and removes it once resolved. */
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
    { key: "n", label: "no (or type what to do instead)" },
  ];
  const isTyping = now - screen.typedAt < TYPING_WINDOW_MS;
  const readyAt = now + (isTyping ? TYPING_GUARD_MS : READING_GUARD_MS);
  // Enter must not allow a call that may have scrolled off the screen.
  const selected = isLong(question) ? choices.length - 1 : 0;
  const prompt = { question: question.title, choices, selected, questionId, readyAt };
  return { ...appendItem(screen, ...createCard(question)), prompt };
}

export function permissionAnswer(text: string): PermissionAnswer {
  const key = text.trim();
  if (key === "y") return { decision: "once" };
  if (key === "s") return { decision: "session" };
  if (key === "a") return { decision: "always" };
  return key === "n" ? { decision: "no" } : { decision: "no", message: key };
}

const CARD_ROWS = 12;
const CARD_COLUMNS = 76;

/** True if part of it may have scrolled off before the user responds. */
function isLong({ command, diff, title }: PermissionQuestion): boolean {
  const lines = `${command ?? title}\n${diff ?? ""}`.trimEnd().split("\n");
  const rows = lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(line.length / CARD_COLUMNS)),
    0,
  );
  return rows > CARD_ROWS;
}

function createCard(question: PermissionQuestion): readonly FinishedItem[] {
  const { tool, title, command, diff, reason, contextLabel } = question;
  const prefix = contextLabel === undefined ? "" : `${contextLabel} `;
  const reasonText = reason === "" ? "" : `${reason[0]?.toUpperCase()}${reason.slice(1)}.`;
  const head = `${prefix}Allow ${tool}?`;
  const subject = command ?? title;
  const card: FinishedItem[] = [
    {
      kind: "consent",
      head,
      subject,
      why: reasonText,
      isLong: isLong(question) && diff === undefined,
    },
  ];
  if (diff === undefined) return card;
  const preview = { kind: "tool" as const, name: tool, about: title, summary: "would change" };
  return [...card, { ...preview, diff, isPreview: true, isError: false, unfolded: true }];
}

export type Action =
  | { readonly type: "event"; readonly event: AgentEvent }
  | { readonly type: "permission"; readonly notice: PermissionNotice }
  | { readonly type: "paint"; readonly paint: Paint }
  | { readonly type: "thread"; readonly threadId: string }
  | { readonly type: "append"; readonly items: readonly FinishedItem[] }
  | { readonly type: "note"; readonly tone: NoteTone; readonly text: string }
  | { readonly type: "status"; readonly status: Partial<StatusData> }
  | { readonly type: "sent"; readonly text: string; readonly queued: boolean }
  /** Number of queued messages; accepted ones move into the conversation. */
  | { readonly type: "queue"; readonly waiting: number }
  | { readonly type: "unsend" }
  | { readonly type: "stopping" }
  | { readonly type: "completion"; readonly completion: Completion | undefined }
  | { readonly type: "picker"; readonly picker: Picker | undefined }
  | { readonly type: "history"; readonly entries: readonly string[] }
  | { readonly type: "tick" };

export function reduce(screen: Screen, action: Action, now: number): Screen {
  switch (action.type) {
    case "event":
      return reduceEvent(screen, action.event, now);
    case "permission":
      return reducePermission(screen, action.notice, now);
    case "paint":
      return { ...screen, paint: action.paint };
    case "thread":
      return switchThread(screen, action.threadId);
    case "append":
      return appendItem(screen, ...action.items);
    case "note":
      return appendNote(screen, action.tone, action.text);
    case "status":
      return { ...screen, status: { ...screen.status, ...action.status } };
    case "sent":
      return action.queued
        ? { ...screen, queue: [...screen.queue, stripControl(action.text)] }
        : {
            ...appendItem(screen, userItem(action.text)),
            prompt: undefined,
            progress: [],
            offersMemory: false,
          };
    case "queue":
      return resumeThread(screen, action.waiting);
    case "unsend":
      return recallMessage(screen);
    case "stopping":
      return screen.run === undefined
        ? screen
        : { ...screen, run: { ...screen.run, activity: "stopping" } };
    case "completion":
      return { ...screen, completion: action.completion };
    case "picker":
      return { ...screen, picker: action.picker };
    case "history":
      return {
        ...screen,
        editor: { ...screen.editor, history: { entries: action.entries, draft: "" } },
      };
    case "tick":
      return screen.hint !== undefined && screen.hint.until <= now
        ? { ...screen, hint: undefined }
        : screen;
  }
}

export function userItem(text: string): FinishedItem {
  return { kind: "user", text: stripControl(text) };
}

/** Switches conversations; preserves the draft and session token counts. */
function switchThread(before: Screen, threadId: string): Screen {
  const screen = groupFinishedReads(before);
  const fresh = createScreen({ cwd: screen.status.cwd, paint: screen.paint });
  const { contextUsed: _contextUsed, cost: _cost, ...status } = screen.status;
  return {
    ...fresh,
    threadId,
    finished: screen.finished,
    status,
    editor: screen.editor,
    queue: screen.threadId === undefined ? screen.queue : [],
  };
}

function resumeThread(screen: Screen, waiting: number): Screen {
  const accepted = Math.max(0, screen.queue.length - waiting);
  if (accepted === 0) return screen;
  const items = screen.queue.slice(0, accepted).map(userItem);
  return { ...appendItem(screen, ...items), queue: screen.queue.slice(accepted) };
}

/** Cancelling returns queued messages to the input. */
function recallMessage(screen: Screen): Screen {
  if (screen.queue.length === 0) return screen;
  const { editor } = screen;
  const typed = [...screen.queue, ...(editor.text === "" ? [] : [editor.text])].join("\n");
  return { ...screen, queue: [], editor: setText(editor, typed) };
}
