import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandHelp } from "../../agent/index.ts";
import { isFolded } from "../cards/draw-tool-card.ts";
import {
  type Completion,
  type CompletionItem,
  findModelQuery,
  findPathQuery,
} from "../completion/complete-path.ts";
import { applyKey, clearEditor, expandedText, setText } from "../editor/editor.ts";
import { formatChord, type Key } from "../input/key-decoder.ts";
import { groupFinishedReads } from "./group-reads.ts";
import { pressInPicker } from "./press-picker.ts";
import { appendItem } from "./reduce-event.ts";
import { type Hint, openHistory, type Pressed, result, type Screen } from "./screen.ts";
import { KEY_STEPS, moveSelection } from "./selection.ts";

function completeCommand(
  text: string,
  cursor: number,
  commands: readonly CommandHelp[],
): Completion | undefined {
  if (text === "?") return HELP_COMPLETION;
  if (!text.startsWith("/") || text.includes("\n") || cursor !== text.length) return undefined;
  const typed = text.slice(1).toLowerCase();
  const argument = completeArgument(text, commands);
  if (argument !== undefined) return argument;
  const listed = typed === "" ? sortByUse(commands) : commands;
  const items = listed
    .filter(({ name }) => name.startsWith(typed) || matchesWord(name, typed))
    .map(({ name, summary, usage }) => ({
      insert: usage === undefined ? `/${name}` : `/${name} `,
      label: usage === undefined ? `/${name}` : `/${name} ${usage}`,
      detail: summary,
      isWhole: usage === undefined || usage.startsWith("["),
    }));
  const isTyped = items.length === 1 && items[0]?.insert.trim() === text;
  if (items.length === 0 || isTyped) return undefined;
  return { items, selected: 0, from: 0, to: text.length };
}

const HELP_COMPLETION: Completion = {
  items: [{ insert: "/help", label: "/help", detail: "Show available commands", isWhole: true }],
  selected: 0,
  from: 0,
  to: 1,
};

const COMMON_COMMANDS = ["help", "plan", "undo", "clear", "model", "sessions", "tasks", "remember"];

function sortByUse(commands: readonly CommandHelp[]): readonly CommandHelp[] {
  const often = COMMON_COMMANDS.flatMap(
    (name) => commands.find((command) => command.name === name) ?? [],
  );
  return [...often, ...commands.filter((command) => !often.includes(command))];
}

/** Completes an argument with choices: `/effort [off|low|medium|high]`. */
function completeArgument(text: string, commands: readonly CommandHelp[]): Completion | undefined {
  const [, name = "", typed = ""] = /^\/(\S+)\s+(\S*)$/.exec(text) ?? [];
  const usage = commands.find((command) => command.name === name.toLowerCase())?.usage ?? "";
  const [, listed] = /^\[(\w+(?:\|\w+)+)\]$/.exec(usage) ?? [];
  const words = listed?.split("|").filter((word) => word.startsWith(typed.toLowerCase())) ?? [];
  if (words.length === 0 || words[0] === typed) return undefined;
  const items = words.map((word) => ({ insert: word, label: word, detail: "", isWhole: true }));
  return { items, selected: 0, from: text.length - typed.length, to: text.length };
}

/** `add` matches `tasks add` once enough is typed. */
function matchesWord(name: string, typed: string): boolean {
  return typed.length > 1 && name.split(" ").some((word) => word.startsWith(typed));
}

export interface KeyContext {
  readonly commands: readonly CommandHelp[];
  readonly now: number;
}

const EXIT_WINDOW_MS = 2000;

/** Returns the screen after a key. Pure: effects are returned. */
export function pressKey(screen: Screen, key: Key, context: KeyContext): Pressed {
  const chord = formatChord(key);
  return (
    pressGlobal(screen, chord, context) ??
    (screen.picker === undefined ? undefined : pressInPicker(screen, screen.picker, key)) ??
    (screen.completion === undefined ? undefined : pressInCompletion(screen, chord, context)) ??
    (screen.prompt === undefined ? undefined : pressAtPrompt(screen, key, context)) ??
    pressInEditor(screen, key, context)
  );
}

function pressGlobal(screen: Screen, chord: string, context: KeyContext): Pressed | undefined {
  switch (chord) {
    case "ctrl+c":
      return pressInterrupt(screen, context);
    case "ctrl+d":
      return screen.editor.text === "" ? result(screen, { type: "exit" }) : undefined;
    case "ctrl+z":
      return result(screen, { type: "suspend" });
    case "ctrl+l":
      return result(screen, { type: "redraw" });
    case "ctrl+o":
      return result(unfoldNext(screen));
    case "ctrl+g":
      return result(screen, { type: "edit" });
    case "ctrl+s":
      if (!screen.offersMemory) return result(screen);
      return result({ ...screen, offersMemory: false }, { type: "submit", text: "/keep" });
    default:
      return undefined;
  }
}

/** Ctrl-C clears input, then cancels the run, then exits. */
function pressInterrupt(screen: Screen, { now }: KeyContext): Pressed {
  if (screen.hint?.armsExit === true && screen.hint.until > now)
    return result(screen, { type: "exit" });
  const armed: Screen = {
    ...screen,
    picker: undefined,
    completion: undefined,
    hint: { text: "Ctrl-C again to exit", until: now + EXIT_WINDOW_MS, armsExit: true },
  };
  const { editor, prompt, run } = screen;
  if (run !== undefined || prompt !== undefined) {
    const typed = prompt?.isSecret === true ? clearEditor(editor) : editor;
    return result({ ...armed, editor: typed }, { type: "cancel" });
  }
  if (editor.text === "") return result(armed);
  return result({ ...armed, editor: clearEditor(editor, expandedText(editor)) });
}

function pressInCompletion(
  screen: Screen,
  chord: string,
  context: KeyContext,
): Pressed | undefined {
  const { completion } = screen;
  const item = completion?.items[completion.selected];
  if (completion === undefined || item === undefined) return undefined;
  const step = KEY_STEPS[chord];
  if (step !== undefined) {
    const selected = moveSelection(completion.selected, step, completion.items.length);
    return result({ ...screen, completion: { ...completion, selected } });
  }
  if (chord === "escape") return result({ ...screen, completion: undefined });
  if (chord === "tab") return acceptCompletion(screen, completion, item, context);
  if (chord !== "enter") return undefined;
  const typed = screen.editor.text.trim();
  const isTyped = context.commands.some(({ name }) => `/${name}` === typed);
  if (isTyped) return submitInput({ ...screen, completion: undefined });
  const accepted = acceptCompletion(screen, completion, item, context);
  return item.isWhole ? submitInput({ ...accepted.screen, completion: undefined }) : accepted;
}

function acceptCompletion(
  screen: Screen,
  { from, to }: Completion,
  item: CompletionItem,
  context: KeyContext,
): Pressed {
  const { editor } = screen;
  const text = editor.text.slice(0, from) + item.insert + editor.text.slice(to);
  const changed = setText(editor, text, from + item.insert.length);
  return offerCompletion({ ...screen, editor: changed, completion: undefined }, context);
}

function pressAtPrompt(screen: Screen, key: Key, { now }: KeyContext): Pressed | undefined {
  const { prompt, editor } = screen;
  if (prompt === undefined || prompt.choices.length === 0) return undefined;
  const chord = formatChord(key);
  const isTooSoon = prompt.readyAt !== undefined && now < prompt.readyAt;
  if (isTooSoon && chord === "enter") return result({ ...screen, hint: hasAppeared(now) });
  if (editor.text !== "" || (isTooSoon && key.kind !== "key")) return undefined;
  const step = chord === "right" || chord === "tab" ? 1 : chord === "left" ? -1 : KEY_STEPS[chord];
  if (step !== undefined) {
    const selected = moveSelection(prompt.selected, step, prompt.choices.length);
    return result({ ...screen, prompt: { ...prompt, selected } });
  }
  const chosen = prompt.choices[prompt.selected];
  if (chord === "enter" && chosen !== undefined)
    return result(screen, { type: "submit", text: chosen.key });
  const typed = key.kind === "text" ? key.text : "";
  const isInbox =
    prompt.questionId !== undefined || prompt.choices.some((choice) => /^\d$/.test(choice.key));
  const direct = prompt.choices.some((choice) => choice.key === typed);
  return isInbox && direct ? result(screen, { type: "submit", text: typed }) : undefined;
}

const PROMPT_GUARD_MS = 3000;

function hasAppeared(now: number): Hint {
  return {
    text: "A question appeared while you typed: review it first",
    until: now + PROMPT_GUARD_MS,
  };
}

function pressInEditor(screen: Screen, key: Key, context: KeyContext): Pressed {
  const chord = formatChord(key);
  if (chord === "escape") return pressEscape(screen, context);
  if (chord === "enter") return pressEnter(screen);
  if (chord === "tab") return offerCompletion(screen, context);
  if (chord === "shift+tab") return result(screen, { type: "mode" });
  if (chord === "ctrl+v") return result(screen, { type: "image" });
  if (key.kind === "paste" && screen.prompt === undefined) {
    if (key.text === "") return result(screen, { type: "image" });
    const file = pastedImage(key.text);
    if (file !== undefined) return result(screen, { type: "image", file, pasted: key.text });
  }
  if (chord === "ctrl+r")
    return screen.prompt?.isSecret === true ? result(screen) : openHistory(screen);
  const editor = applyKey(screen.editor, key);
  if (editor === undefined || editor === screen.editor) return result(screen);
  const isBrowsing = editor.history.index !== undefined;
  const typedAt = key.kind === "key" ? screen.typedAt : context.now;
  const changed = { ...screen, editor, typedAt, completion: undefined, hint: undefined };
  return isBrowsing || editor.text === screen.editor.text
    ? result(changed)
    : offerCompletion(changed, context);
}

const REWIND_WINDOW_MS = 1500;

function pressEscape(screen: Screen, { now }: KeyContext): Pressed {
  const isQuiet = screen.run === undefined && screen.prompt === undefined;
  if (isQuiet && screen.editor.text === "") {
    if (screen.hint?.armsRewind === true && screen.hint.until > now) {
      return result({ ...screen, hint: undefined }, { type: "submit", text: "/undo choose" });
    }
    const text = "Esc again to go back to an earlier message";
    const hint = { text, until: now + REWIND_WINDOW_MS, armsRewind: true as const };
    return result({ ...screen, hint }, { type: "cancel" });
  }
  // A flow may run between two runs; cancelling without a run is ignored.
  const isSecret = screen.prompt?.isSecret === true;
  const editor = isSecret ? clearEditor(screen.editor) : screen.editor;
  return result({ ...screen, editor, hint: undefined }, { type: "cancel" });
}

function pressEnter(screen: Screen): Pressed {
  const { editor } = screen;
  const before = editor.text.slice(0, editor.cursor);
  if (before.endsWith("\\")) {
    const text = `${before.slice(0, -1)}\n${editor.text.slice(editor.cursor)}`;
    return result({ ...screen, editor: setText(editor, text, editor.cursor) });
  }
  if (editor.text.trim() !== "") return submitInput(screen);
  const isAnswer = screen.prompt?.isOptional === true;
  return isAnswer ? result(screen, { type: "submit", text: "" }) : result(screen);
}

function submitInput(screen: Screen): Pressed {
  const text = expandedText(screen.editor);
  const historyText = screen.prompt?.isSecret === true ? undefined : text;
  const sent = { ...screen, typedAt: Number.NEGATIVE_INFINITY };
  return result(
    { ...sent, editor: clearEditor(screen.editor, historyText) },
    { type: "submit", text },
  );
}

/** Offers completions: commands immediately, paths and models once loaded. */
function offerCompletion(screen: Screen, { commands }: KeyContext): Pressed {
  const { text, cursor } = screen.editor;
  if (screen.prompt === undefined) {
    const models = findModelQuery(text, cursor);
    if (models !== undefined) return result(screen, { type: "models", query: models });
    const completion = completeCommand(text, cursor, commands);
    if (completion !== undefined) return result({ ...screen, completion });
  }
  const query = findPathQuery(text, cursor);
  const next = { ...screen, completion: undefined };
  return query === undefined ? result(next) : result(next, { type: "paths", query });
}

/** Expands the last collapsed card; repeated, the one before it. */
function unfoldNext(before: Screen): Screen {
  const screen = groupFinishedReads(before);
  const { finished, unfoldedUpTo } = screen;
  const end = unfoldedUpTo > 0 ? unfoldedUpTo - 1 : finished.length;
  const index = finished.slice(0, end).findLastIndex(canUnfold);
  const item = finished[index];
  if (item === undefined || !("unfolded" in item)) return screen;
  return { ...appendItem(screen, { ...item, unfolded: true }), unfoldedUpTo: index + 1 };
}

function canUnfold(item: Screen["finished"][number]): boolean {
  if (item.kind === "tool") return isFolded(item);
  return "unfolded" in item && !item.unfolded;
}

/**
 * Returns the path if the paste consists only of an image file, as when dropped into a terminal.
 */
export function pastedImage(text: string): string | undefined {
  const line = text.trim();
  if (line.includes("\n") || !/\.(png|jpe?g|gif|webp)['"]?$/i.test(line)) return undefined;
  if (line.startsWith("file://")) return fromUrl(line);
  const quoted = /^'([^']+)'$|^"([^"]+)"$/.exec(line);
  const path = quoted?.[1] ?? quoted?.[2] ?? line.replace(/\\(.)/g, "$1");
  const isEscaped = quoted !== null || !/(?<!\\)\s/.test(line);
  if (path.startsWith("~/")) return isEscaped ? join(homedir(), path.slice(2)) : undefined;
  return path.startsWith("/") && isEscaped ? path : undefined;
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
