import { join } from "node:path";
import { createInterface } from "node:readline";
import { keyOf } from "../input/key.ts";
import { clipboardImage } from "../session/clipboard-image.ts";
import { editExternally } from "../session/edit-externally.ts";
import { createInputHistory } from "../session/input-history.ts";
import { TerminalSession } from "../session/terminal-session.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { sayChanges } from "./say-changes.ts";
import { takeLine } from "./take-line.ts";

/**
 * The whole terminal for who hears it: line below line, states in words, nothing drawn again, no
 * colour, no spinner. Lines are written as in any program; the system itself edits and echoes them.
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
    clipboardImage: () => clipboardImage(environment),
    editExternally: (text) => editExternally(text, environment),
    ...(options.saveTheme !== undefined && { saveTheme: options.saveTheme }),
    ...(options.resume !== undefined && { resume: options.resume }),
    ...(options.setup !== undefined && { setup: options.setup }),
  });
  const say = (lines: readonly string[]) => {
    if (lines.length > 0 && stdout.writable) stdout.write(`${lines.join("\n")}\n`);
  };
  let shown = session.screen;
  /** The line that was written last: it stands there already. */
  let written: string | undefined;
  const unsubscribe = session.store.subscribe(() => {
    const next = session.screen;
    const lines = sayChanges(shown, next).filter((line) => line !== written);
    keepUnseen(stdin, next.prompt?.isSecret === true);
    shown = next;
    say(lines);
  });
  say([
    "cairn, for a screen reader. /help lists what can be written; /more tells the last in full.",
  ]);
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on("line", (raw) => {
    const line = asEdited(raw);
    written = `You: ${line}`;
    say(takeLine(session, line, Date.now()));
  });
  const code = await untilEnd(session, lines, () => setImmediate(() => void session.start()));
  lines.close();
  keepUnseen(stdin, false);
  const { resumable } = session;
  await session.close();
  unsubscribe();
  if (code === 0 && resumable !== undefined && session.screen.finished.length > 0) {
    say([`Go on with: cairn --screen-reader --resume ${resumable}`]);
  }
  return code;
}

/** The system echoes no line while a key is asked for. */
function keepUnseen(stdin: NodeJS.ReadStream, isSecret: boolean): void {
  if (stdin.isTTY === true && stdin.isRaw !== isSecret) stdin.setRawMode(isSecret);
}

/** Without the system's editing, what was rubbed out is still in the line. */
function asEdited(raw: string): string {
  let line = "";
  for (const character of raw) {
    if (character === "\x7f" || character === "\b") line = Array.from(line).slice(0, -1).join("");
    else if (character === "\x03" || character === "\x15") line = "";
    else line += character;
  }
  return line;
}

/** The person leaves (0), or the terminal goes away. Ctrl-C stops what runs, and twice leaves. */
function untilEnd(
  session: TerminalSession,
  lines: ReturnType<typeof createInterface>,
  start: () => void,
): Promise<number> {
  const stop = () => session.press(keyOf("c", { ctrl: true }));
  return new Promise<number>((resolve) => {
    process.on("SIGINT", stop);
    process.once("SIGHUP", () => resolve(129));
    process.once("SIGTERM", () => resolve(143));
    lines.once("close", () => resolve(0));
    void session.left.then(() => resolve(0));
    start();
  }).finally(() => process.off("SIGINT", stop));
}
