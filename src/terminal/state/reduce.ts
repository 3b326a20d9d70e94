import type { AgentEvent, PermissionNotice } from "../../agent/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { Completion } from "../completion/completion.ts";
import { setText } from "../editor/editor.ts";
import type { Paint } from "../text/style.ts";
import { settleReads } from "./reads.ts";
import { append, note, reduceEvent } from "./reduce-event.ts";
import { reducePermission } from "./reduce-permission.ts";
import {
  createScreen,
  type FinishedItem,
  type NoteTone,
  type Picker,
  type Screen,
  type StatusData,
} from "./screen.ts";

/** Everything but keys that changes the screen. */
export type Action =
  | { readonly type: "event"; readonly event: AgentEvent }
  | { readonly type: "permission"; readonly notice: PermissionNotice }
  | { readonly type: "paint"; readonly paint: Paint }
  | { readonly type: "thread"; readonly threadId: string }
  | { readonly type: "append"; readonly items: readonly FinishedItem[] }
  | { readonly type: "note"; readonly tone: NoteTone; readonly text: string }
  | { readonly type: "status"; readonly status: Partial<StatusData> }
  /** A message went to the thread: shown at once, or queued while something runs. */
  | { readonly type: "sent"; readonly text: string; readonly queued: boolean }
  /** Number of sent messages still wait; those taken up move into the conversation. */
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
      return append(screen, ...action.items);
    case "note":
      return note(screen, action.tone, action.text);
    case "status":
      return { ...screen, status: { ...screen.status, ...action.status } };
    case "sent":
      return action.queued
        ? { ...screen, queue: [...screen.queue, stripControl(action.text)] }
        : {
            ...append(screen, userItem(action.text)),
            prompt: undefined,
            progress: [],
            offersMemory: false,
          };
    case "queue":
      return takeUp(screen, action.waiting);
    case "unsend":
      return unsend(screen);
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

/** Another conversation in the same place: what was typed and the tokens of this sitting stay. */
function switchThread(before: Screen, threadId: string): Screen {
  const screen = settleReads(before);
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

function takeUp(screen: Screen, waiting: number): Screen {
  const taken = Math.max(0, screen.queue.length - waiting);
  if (taken === 0) return screen;
  const items = screen.queue.slice(0, taken).map(userItem);
  return { ...append(screen, ...items), queue: screen.queue.slice(taken) };
}

/** A cancel drops what was queued; it goes back into the input, so that nothing typed is lost. */
function unsend(screen: Screen): Screen {
  if (screen.queue.length === 0) return screen;
  const { editor } = screen;
  const typed = [...screen.queue, ...(editor.text === "" ? [] : [editor.text])].join("\n");
  return { ...screen, queue: [], editor: setText(editor, typed) };
}
