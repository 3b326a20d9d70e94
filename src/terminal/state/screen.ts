import type { Choice, ProgressItem } from "../../agent/index.ts";
import type { Completion, ModelQuery, PathQuery } from "../completion/complete-path.ts";
import { createEditor, type Editor, setText } from "../editor/editor.ts";
import { emptyStream, type MarkdownStream } from "../markdown/markdown-stream.ts";
import type { RecallView } from "../memory/recall-view.ts";
import type { Paint } from "../text/style.ts";

export interface Screen {
  readonly paint: Paint;
  /** Displayed thread; events of others are ignored. */
  readonly threadId: string | undefined;
  readonly finished: readonly FinishedItem[];
  readonly stream: AnswerStream;
  readonly subagentLines: Readonly<Record<string, string>>;
  readonly tools: readonly RunningTool[];
  readonly reads: readonly FinishedTool[];
  readonly thought: Thought | undefined;
  readonly pendingCall: { readonly name: string; readonly size: number } | undefined;
  readonly run: Run | undefined;
  readonly prompt: PendingPrompt | undefined;
  readonly queue: readonly string[];
  readonly progress: readonly ProgressItem[];
  readonly status: StatusData;
  readonly editor: Editor;
  /** Time of the last unsent keystroke, in milliseconds. */
  readonly typedAt: number;
  readonly completion: Completion | undefined;
  readonly picker: Picker | undefined;
  readonly offersMemory: boolean;
  readonly hint: Hint | undefined;
  /** Number of cards expanded so far, newest first. */
  readonly unfoldedUpTo: number;
}

export interface ConsentItem {
  readonly kind: "consent";
  readonly head: string;
  readonly subject: string;
  readonly why: string;
  readonly isLong: boolean;
}

export type FinishedItem =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string; readonly continues: boolean }
  | FinishedTool
  | ExploredItem
  | { readonly kind: "note"; readonly tone: NoteTone; readonly text: string }
  | { readonly kind: "question"; readonly text: string }
  | ConsentItem
  | { readonly kind: "recall"; readonly recall: RecallView }
  | MemoriesItem
  | ThoughtItem;

export interface ThoughtItem {
  readonly kind: "thought";
  readonly text: string;
  readonly milliseconds: number;
  readonly unfolded: boolean;
}

export interface Thought {
  readonly text: string;
  readonly startedAt: number;
}

export interface MemoriesItem {
  readonly kind: "memories";
  readonly about: "told" | "offered";
  readonly items: readonly { readonly id: string; readonly text: string }[];
  readonly unfolded: boolean;
}

export type NoteTone = "info" | "success" | "print" | "error" | "quiet" | "title";

export interface FinishedTool {
  readonly kind: "tool";
  readonly name: string;
  readonly about: string;
  readonly location?: string;
  readonly summary: string;
  readonly diff?: string;
  readonly isPreview?: boolean;
  /** The preview above already shows the diff. */
  readonly isShownAbove?: boolean;
  readonly output?: string;
  readonly isError: boolean;
  readonly contextLabel?: string;
  readonly unfolded: boolean;
}

/** Consecutive read-only calls, shown as one block until expanded. */
export interface ExploredItem {
  readonly kind: "explored";
  readonly tools: readonly FinishedTool[];
  readonly contextLabel?: string;
  readonly unfolded: boolean;
}

export interface AnswerStream {
  readonly markdown: MarkdownStream;
  readonly carry: string;
  readonly hasText: boolean;
}

export interface RunningTool {
  readonly callId: string;
  readonly name: string;
  readonly about: string;
  readonly location?: string;
  readonly output?: string;
  readonly contextLabel?: string;
  readonly startedAt: number;
}

export interface Run {
  readonly startedAt: number;
  readonly activity: "working" | "stopping" | "handover";
}

export interface PendingPrompt {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly selected: number;
  readonly questionId?: string;
  /** Unix milliseconds until which keys count as typing, not as an answer. */
  readonly readyAt?: number;
  readonly isSecret?: boolean;
  readonly isOptional?: boolean;
}

export interface StatusData {
  readonly state: "starting" | "ready" | "failed";
  readonly model?: string;
  readonly database?: string;
  readonly cwd: string;
  readonly branch?: string;
  readonly permissionMode?: string;
  /** The sandbox in use, or `off (reason)`. */
  readonly sandbox?: string;
  readonly contextUsed?: number;
  readonly isWindowAssumed?: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars since the session was opened; undefined if a price is unknown. */
  readonly cost?: number;
}

export interface Picker {
  readonly kind: "sessions" | "models" | "history";
  readonly items: readonly PickerItem[];
  readonly all: readonly PickerItem[];
  readonly query: string;
  readonly selected: number;
  readonly naming?: string;
}

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

export interface Hint {
  readonly text: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** Set while a second Ctrl-C would exit. */
  readonly armsExit?: true;
  /** Set while a second Esc would open rewind. */
  readonly armsRewind?: true;
}

export const emptyAnswer: AnswerStream = { markdown: emptyStream, carry: "", hasText: false };

export function createScreen(options: {
  readonly cwd: string;
  readonly paint?: Paint;
  readonly history?: readonly string[];
}): Screen {
  return {
    paint: options.paint ?? "color",
    threadId: undefined,
    finished: [],
    stream: emptyAnswer,
    subagentLines: {},
    tools: [],
    reads: [],
    thought: undefined,
    pendingCall: undefined,
    run: undefined,
    prompt: undefined,
    queue: [],
    progress: [],
    status: { state: "starting", cwd: options.cwd, inputTokens: 0, outputTokens: 0 },
    editor: createEditor(options.history),
    typedAt: Number.NEGATIVE_INFINITY,
    completion: undefined,
    picker: undefined,
    offersMemory: false,
    hint: undefined,
    unfoldedUpTo: 0,
  };
}

export type Effect =
  | { readonly type: "submit"; readonly text: string }
  | { readonly type: "cancel" }
  | { readonly type: "exit" }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  | { readonly type: "edit" }
  | { readonly type: "image"; readonly file?: string; readonly pasted?: string }
  | { readonly type: "mode" }
  | { readonly type: "paths"; readonly query: PathQuery }
  | { readonly type: "models"; readonly query: ModelQuery }
  | { readonly type: "resume"; readonly threadId: string }
  | { readonly type: "fork"; readonly threadId: string }
  | { readonly type: "rename"; readonly threadId: string; readonly title: string };

export interface Pressed {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

export function result(screen: Screen, ...effects: readonly Effect[]): Pressed {
  return { screen, effects };
}

const MAX_HISTORY_MATCHES = 200;
const MAX_LABEL_CHARACTERS = 200;

/** Searches sent messages, latest first, starting with the typed text. */
export function openHistory(screen: Screen): Pressed {
  const latestFirst = new Set(screen.editor.history.entries.toReversed());
  const all = [...latestFirst].map((entry) => ({
    id: entry,
    label: entry.replace(/\s+/g, " ").slice(0, MAX_LABEL_CHARACTERS),
    detail: "",
  }));
  const query = screen.editor.text.replace(/\s+/g, " ").trim();
  const items = searchHistory(all, query);
  const picker: Picker = { kind: "history", all, items, query, selected: 0 };
  return result({ ...screen, completion: undefined, hint: undefined, picker });
}

export function searchHistory(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/);
  return all
    .filter(({ id }) => {
      const text = id.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .slice(0, MAX_HISTORY_MATCHES);
}

export function takeFromHistory(screen: Screen, { id }: PickerItem): Pressed {
  return result({ ...screen, picker: undefined, editor: setText(screen.editor, id) });
}
