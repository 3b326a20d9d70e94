import { join } from "node:path";
import { createInterface } from "node:readline";
import { setText } from "../editor/editor.ts";
import { createKey, type Key } from "../input/key-decoder.ts";
import { readClipboardImage } from "../session/clipboard-image.ts";
import { editExternally } from "../session/edit-externally.ts";
import { createInputHistory } from "../session/input-history.ts";
import { TerminalSession } from "../session/terminal-session.ts";
import type { PendingPrompt, Picker, Screen } from "../state/screen.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { sayItem } from "./speak-item.ts";

const MAX_CHOICES = 20;
const SILENT_TOOLS: ReadonlySet<string> = new Set([
  "read",
  "skim",
  "filegrep",
  "grep",
  "glob",
  "todo",
]);

function sayChanges(before: Screen, after: Screen): readonly string[] {
  const begins = after.finished.length < before.finished.length ? 0 : before.finished.length;
  return [
    ...after.finished.slice(begins).flatMap(sayItem),
    ...sayStatus(before, after),
    ...sayRun(before, after),
    ...sayCalls(before, after),
    ...sayProgress(before, after),
    ...(after.queue.length > before.queue.length ? ["Queued until the next step."] : []),
    ...(after.hint === undefined || after.hint.text === before.hint?.text ? [] : [after.hint.text]),
    ...(after.prompt === undefined || after.prompt === before.prompt
      ? []
      : sayChoices(after.prompt, before.prompt)),
    ...(after.picker === undefined || isSameList(after.picker, before.picker)
      ? []
      : sayPicker(after.picker)),
  ];
}

function sayStatus({ status: before }: Screen, { status: after }: Screen): readonly string[] {
  const { state, model, database, cwd, permissionMode } = after;
  const spoken: string[] = [];
  if (state !== before.state && state === "ready") {
    spoken.push(`${cwd}. Model ${model ?? "not chosen"}. Memory ${database ?? "off"}.`);
  }
  if (permissionMode !== before.permissionMode && before.permissionMode !== undefined) {
    spoken.push(`Mode ${permissionMode}.`);
  }
  return spoken;
}

function sayRun(
  { run: before }: Screen,
  { run: after, status, prompt }: Screen,
): readonly string[] {
  if (before === undefined && after !== undefined) return ["Working."];
  if (before !== undefined && after?.activity === "stopping" && before.activity !== "stopping") {
    return ["Stopping."];
  }
  if (before === undefined || after !== undefined || prompt !== undefined) return [];
  const { contextUsed, cost } = status;
  const used = contextUsed === undefined ? "" : ` ${Math.round(contextUsed * 100)} percent used.`;
  const paid = cost === undefined || cost === 0 ? "" : ` ${cost.toFixed(2)} dollars.`;
  return [`Ready.${used}${paid}`];
}

function sayCalls({ tools: before }: Screen, { tools: after }: Screen): readonly string[] {
  return after
    .filter(
      ({ callId, name }) => !SILENT_TOOLS.has(name) && before.every((one) => one.callId !== callId),
    )
    .map(({ name, about, contextLabel }) => {
      const prefix = contextLabel === undefined ? "" : `${contextLabel}: `;
      return `${prefix}Running: ${name}${about === "" ? "" : ` ${about}`}`;
    });
}

function sayProgress({ progress: before }: Screen, { progress: after }: Screen): readonly string[] {
  return after.flatMap(({ id, label, state }, index) => {
    const earlier = before.find((one) => one.id === id)?.state;
    if (state === "waiting" || state === earlier) return [];
    return [`Task ${index + 1} of ${after.length} ${state}: ${label}`];
  });
}

function sayChoices(prompt: PendingPrompt, before?: PendingPrompt): readonly string[] {
  const { choices, isSecret, isOptional } = prompt;
  if (before?.question === prompt.question && before.choices === choices) return [];
  if (choices.length === 0) {
    const hint = isSecret === true ? "Your input is hidden. " : "";
    return [`${hint}Type your answer${isOptional === true ? ", or nothing" : ""}:`];
  }
  return ["Choose one of these:", ...choices.map(({ key, label }) => `${key}: ${label}`)];
}

function isSameList(picker: Picker, before: Picker | undefined): boolean {
  return before?.kind === picker.kind && before.items === picker.items;
}

function sayPicker({ items }: Picker): readonly string[] {
  const rows = items
    .slice(0, MAX_CHOICES)
    .map(
      ({ label, detail }, index) => `${index + 1}: ${[label, detail].filter(Boolean).join(", ")}`,
    );
  const more = items.length > MAX_CHOICES ? [`${items.length - MAX_CHOICES} more.`] : [];
  return [...rows, ...more, "Type a number to choose, text to filter, or nothing to cancel."];
}

interface LineInput {
  readonly screen: Screen;
  show(screen: Screen): void;
  press(key: Key): void;
}

const ENTER_KEY = createKey("enter");
const COMMAND_KEYS: Readonly<Record<string, Key>> = {
  "/more": createKey("o", { ctrl: true }),
  "/mode": createKey("tab", { shift: true }),
};

function handleLine(session: LineInput, line: string, now: number): readonly string[] {
  const { screen } = session;
  const { picker, prompt, editor } = screen;
  if (picker !== undefined) return handleChoice(session, line);
  if (prompt !== undefined) {
    if (prompt.readyAt !== undefined && now < prompt.readyAt) {
      return ["A question appeared while you typed. Your text was not used as its answer."];
    }
    const needsWords = line.trim() === "" && prompt.isOptional !== true;
    if (needsWords) return sayChoices(prompt);
  }
  const key = prompt === undefined ? COMMAND_KEYS[line.trim()] : undefined;
  if (key !== undefined) {
    session.press(key);
    return [];
  }
  session.show({ ...screen, completion: undefined, editor: setText(editor, editor.text + line) });
  if (line.trim() === "" && prompt?.isOptional !== true) return [];
  session.press(ENTER_KEY);
  return [];
}

function handleChoice(session: LineInput, line: string): readonly string[] {
  const { screen } = session;
  const { picker } = screen;
  if (picker === undefined) return [];
  const input = line.trim();
  if (input === "") {
    session.press(createKey("escape"));
    return ["List closed."];
  }
  if (!/^\d+$/.test(input)) {
    session.press({ kind: "text", text: input });
    return [];
  }
  const selected = Number(input) - 1;
  if (picker.items[selected] === undefined)
    return ["There is no such number.", ...sayPicker(picker)];
  session.show({ ...screen, picker: { ...picker, selected } });
  session.press(ENTER_KEY);
  return [];
}

/**
 * Screen-reader mode: line by line, states in words, no redraws, colors or spinner. The system
 * edits and echoes input.
 */
export async function runSpoken(options: TerminalOptions): Promise<number> {
  const { stdin, stdout, environment = {} } = options;
  const session = new TerminalSession({
    connect: options.connect,
    history: createInputHistory(async () => join(await options.dataDir(), "input-history.jsonl")),
    projectRoot: options.projectRoot,
    cwdLabel: options.cwdLabel,
    colors: { isOff: true, isRich: false },
    now: Date.now,
    redraw: () => undefined,
    suspend: () => undefined,
    clipboardImage: () => readClipboardImage(environment),
    editExternally: (text) => editExternally(text, environment),
    ...(options.saveTheme !== undefined && { saveTheme: options.saveTheme }),
    ...(options.resume !== undefined && { resume: options.resume }),
    ...(options.setup !== undefined && { setup: options.setup }),
  });
  const writeLines = (lines: readonly string[]) => {
    if (lines.length > 0 && stdout.writable) stdout.write(`${lines.join("\n")}\n`);
  };
  let previous = session.screen;
  let written: string | undefined;
  const unsubscribe = session.store.subscribe(() => {
    const next = session.screen;
    const lines = sayChanges(previous, next).filter((line) => line !== written);
    hideInput(stdin, next.prompt?.isSecret === true);
    previous = next;
    writeLines(lines);
  });
  writeLines([
    "cairn, for a screen reader. /help lists the commands; /more reads the last result in full.",
  ]);
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on("line", (raw) => {
    const line = toEditorLine(raw);
    written = `You: ${line}`;
    writeLines(handleLine(session, line, Date.now()));
  });
  const code = await waitForEnd(session, lines, () => setImmediate(() => void session.start()));
  lines.close();
  hideInput(stdin, false);
  const { resumable } = session;
  await session.close();
  unsubscribe();
  if (code === 0 && resumable !== undefined && session.screen.finished.length > 0) {
    writeLines([`Resume with: cairn --screen-reader --resume ${resumable}`]);
  }
  return code;
}

function hideInput(stdin: NodeJS.ReadStream, isSecret: boolean): void {
  if (stdin.isTTY === true && stdin.isRaw !== isSecret) stdin.setRawMode(isSecret);
}

function toEditorLine(raw: string): string {
  let line = "";
  for (const character of raw) {
    if (character === "\x7f" || character === "\b") line = Array.from(line).slice(0, -1).join("");
    else if (character === "\x03" || character === "\x15") line = "";
    else line += character;
  }
  return line;
}

/**
 * Resolves when the user exits (0) or the terminal closes. Ctrl-C cancels the run; a second one
 * exits.
 */
function waitForEnd(
  session: TerminalSession,
  lines: ReturnType<typeof createInterface>,
  start: () => void,
): Promise<number> {
  const stop = () => session.press(createKey("c", { ctrl: true }));
  return new Promise<number>((resolve) => {
    process.on("SIGINT", stop);
    process.once("SIGHUP", () => resolve(129));
    process.once("SIGTERM", () => resolve(143));
    lines.once("close", () => resolve(0));
    void session.left.then(() => resolve(0));
    start();
  }).finally(() => process.off("SIGINT", stop));
}
