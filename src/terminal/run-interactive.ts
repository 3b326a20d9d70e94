import { basename, join } from "node:path";
import { mount } from "./components/mount.tsx";
import type { Key } from "./input/key-decoder.ts";
import { createKeyDecoder } from "./input/key-decoder.ts";
import { readClipboardImage } from "./session/clipboard-image.ts";
import { editExternally } from "./session/edit-externally.ts";
import { createInputHistory } from "./session/input-history.ts";
import type { Store } from "./session/store.ts";
import { TerminalSession } from "./session/terminal-session.ts";
import type { Screen } from "./state/screen.ts";
import type { TerminalOptions } from "./terminal-options.ts";
import type { TerminalColors } from "./theme/paint.ts";
import { BACKDROP_QUERY, readBackdrop } from "./theme/paint.ts";

const ESCAPE_TIMEOUT_MS = 40;
const LONG_RUN_THRESHOLD_MS = 1000;

/** Before raw mode, the system converts Enter to a newline. */
function collectEarlyInput(bytes: Buffer): Buffer {
  return bytes.includes(0x1b)
    ? bytes
    : (bytes.map((byte) => (byte === 0x0a ? 0x0d : byte)) as Buffer);
}

/**
 * Level 1 of the kitty keyboard protocol, which distinguishes Shift-Enter and Escape. Other
 * terminals ignore it. https://sw.kovidgoyal.net/kitty/keyboard-protocol/
 */
const ENABLE_KITTY_KEYS = "\x1b[>1u";
const RESTORE_KEYS = "\x1b[<u";

interface KeyListeners {
  readonly onKey: (key: Key) => void;
  readonly onAnswer: (answer: string) => void;
}

/** Enables raw mode and bracketed paste; returns a function that restores the terminal. */
function readKeys(
  terminal: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  { onKey, onAnswer }: KeyListeners,
): () => void {
  const { stdin, stdout } = terminal;
  const decoder = createKeyDecoder(onAnswer);
  let timer: NodeJS.Timeout | undefined;
  let isFirst = true;
  const onData = (data: Buffer | string) => {
    clearTimeout(timer);
    const bytes = isFirst ? collectEarlyInput(Buffer.from(data)) : Buffer.from(data);
    isFirst = false;
    for (const key of decoder.push(bytes)) onKey(key);
    if (!decoder.isWaiting) return;
    const flush = () => {
      for (const key of decoder.flush()) onKey(key);
    };
    timer = setTimeout(flush, decoder.waitsForLong ? LONG_RUN_THRESHOLD_MS : ESCAPE_TIMEOUT_MS);
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  stdout.write(`\x1b[?2004h${ENABLE_KITTY_KEYS}`);
  return () => {
    clearTimeout(timer);
    stdin.off("data", onData);
    stdin.pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
    if (stdout.writable) stdout.write(`${RESTORE_KEYS}\x1b[?2004l`);
  };
}

/** Longer runs notify the user, who may have switched windows. */
const LONG_RUN_MS = 10_000;
const BELL = "\x07";

interface AttentionOptions {
  readonly store: Store<Screen>;
  readonly name: string;
  readonly write: (text: string) => void;
}

function callForAttention({ store, name, write }: AttentionOptions): () => void {
  let title = "";
  let { run: before, prompt: request } = store.get();
  const onStateChange = () => {
    const { run, prompt } = store.get();
    const now = prompt === undefined ? (run === undefined ? name : `● ${name}`) : `? ${name}`;
    if (now !== title) write(createTitle(now));
    title = now;
    const isRequested = prompt !== undefined && request === undefined && before !== undefined;
    const isDone = run === undefined && before !== undefined;
    const wasLong = before !== undefined && Date.now() - before.startedAt > LONG_RUN_MS;
    if (isRequested || (isDone && wasLong)) write(BELL);
    before = run;
    request = prompt;
  };
  write(SAVE_TITLE);
  onStateChange();
  const unsubscribe = store.subscribe(onStateChange);
  return () => {
    unsubscribe();
    write(RESTORE_TITLE);
  };
}

const SAVE_TITLE = "\x1b[22;0t";
const RESTORE_TITLE = "\x1b[23;0t";

function createTitle(text: string): string {
  return `\x1b]0;${text.replace(/[\x00-\x1f\x7f-\x9f]/g, "")}${BELL}`;
}

const CLOSE_TIMEOUT_MS = 4500;
const REPLY_TIMEOUT_MS = 400;
/** Timeout after which suspending failed. */
const STOP_DETECTION_MS = 500;
/** 128 plus the signal number, as in shells. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export async function runInteractive(options: TerminalOptions): Promise<number> {
  const { stdin, stdout } = options;
  let redraw = () => {};
  let suspend = () => {};
  let stopKeys = () => {};
  const listen = () =>
    readKeys({ stdin, stdout }, { onKey: (key) => session.press(key), onAnswer });
  const colors = detectColors(options);
  const requestedAt = performance.now();
  const onAnswer = (answer: string) => {
    const background = readBackdrop(answer);
    const isInTime = performance.now() - requestedAt < REPLY_TIMEOUT_MS;
    if (background !== undefined && isInTime) session.theming.noteBackground(background);
  };
  const session = new TerminalSession({
    connect: options.connect,
    history: createInputHistory(async () => join(await options.dataDir(), "input-history.jsonl")),
    projectRoot: options.projectRoot,
    cwdLabel: options.cwdLabel,
    colors,
    ...(options.saveTheme !== undefined && { saveTheme: options.saveTheme }),
    now: Date.now,
    redraw: () => redraw(),
    clipboardImage: () => readClipboardImage(options.environment ?? {}),
    suspend: () => suspend(),
    editExternally: (text) => {
      stopKeys();
      try {
        return editExternally(text, options.environment ?? {});
      } finally {
        stopKeys = listen();
        redraw();
      }
    },
    ...(options.resume !== undefined && { resume: options.resume }),
    ...(options.setup !== undefined && { setup: options.setup }),
  });
  const screen = mount(session.store, { stdout });
  redraw = screen.redraw;
  suspend = () => {
    stopKeys();
    screen.stepBelow();
    stopUntilContinued(() => {
      stopKeys = listen();
      screen.redraw();
    });
  };
  stopKeys = listen();
  if (colors.isRich && !colors.isOff) stdout.write(BACKDROP_QUERY);
  const stopCalling = callForAttention({
    store: session.store,
    name: `cairn ${basename(options.projectRoot)}`,
    write: (text) => {
      if (stdout.writable) stdout.write(text);
    },
  });
  const ended = waitForEnd(session, stdin, stdout);
  setImmediate(() => void session.start());

  const code = await ended;
  stopKeys();
  stopCalling();
  const { resumable } = session;
  const closing = session.close();
  await Promise.race([
    closing,
    new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref()),
  ]);
  await screen.unmount();
  const { finished } = session.screen;
  if (code === 0 && resumable !== undefined && finished.length > 0 && stdout.writable) {
    stdout.write(`Resume with: cairn --resume ${resumable}\n`);
  }
  return code;
}

/** Suspends this process like Ctrl-Z; calls `goOn` once resumed. */
function stopUntilContinued(onResume: () => void): void {
  let isBack = false;
  const back = () => {
    if (!isBack) onResume();
    isBack = true;
    process.off("SIGCONT", back);
  };
  process.once("SIGCONT", back);
  process.kill(process.pid, "SIGTSTP");
  setTimeout(back, STOP_DETECTION_MS);
}

function detectColors({ noColor, hasManyColors, background }: TerminalOptions): TerminalColors {
  return {
    isOff: noColor,
    isRich: hasManyColors === true,
    ...(background !== undefined && { background }),
  };
}

/** Resolves when the user exits (0) or the terminal closes (signal or end of input). */
function waitForEnd(
  session: TerminalSession,
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
): Promise<number> {
  return new Promise((resolve) => {
    void session.left.then(() => resolve(0));
    for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) {
      process.once(signal, () => resolve(code));
    }
    stdin.once("end", () => resolve(SIGNAL_EXIT_CODES.SIGHUP));
    stdin.on("error", () => resolve(SIGNAL_EXIT_CODES.SIGHUP));
    // Expected if the terminal is closed; the draft must survive.
    stdout.on("error", () => resolve(SIGNAL_EXIT_CODES.SIGHUP));
  });
}
