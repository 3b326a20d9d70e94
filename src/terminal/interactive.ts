import { basename, join } from "node:path";
import { mount } from "./components/mount.tsx";
import { readKeys } from "./input/read-keys.ts";
import { callForAttention } from "./session/attention.ts";
import { clipboardImage } from "./session/clipboard-image.ts";
import { editExternally } from "./session/edit-externally.ts";
import { createInputHistory } from "./session/input-history.ts";
import { TerminalSession } from "./session/terminal-session.ts";
import type { TerminalOptions } from "./terminal-options.ts";
import { BACKDROP_QUERY, readBackdrop } from "./theme/backdrop.ts";
import type { TerminalColors } from "./theme/paint-of.ts";

/** How long the terminal may take to say good-bye before the process ends anyway. */
const CLOSE_MS = 4500;
/** A terminal that says later what is behind its text keeps the colours that it has. */
const ANSWER_MS = 400;
/** After so long without being stopped, a program will not be. */
const NOT_STOPPED_MS = 500;
/** 128 plus the number of the signal, as shells report it. */
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The terminal with its screen. Returns the exit code once the person, or the terminal, is gone. */
export async function runInteractive(options: TerminalOptions): Promise<number> {
  const { stdin, stdout } = options;
  let redraw = () => {};
  let suspend = () => {};
  let stopKeys = () => {};
  const listen = () =>
    readKeys({ stdin, stdout }, { onKey: (key) => session.press(key), onAnswer });
  const colors = colorsOf(options);
  const askedAt = performance.now();
  const onAnswer = (answer: string) => {
    const background = readBackdrop(answer);
    const isInTime = performance.now() - askedAt < ANSWER_MS;
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
    clipboardImage: () => clipboardImage(options.environment ?? {}),
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
  // The prompt is on screen; what is behind it may take its time.
  setImmediate(() => void session.start());

  const code = await ended;
  stopKeys();
  stopCalling();
  const { resumable } = session;
  const closing = session.close();
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  await screen.unmount();
  const { finished } = session.screen;
  if (code === 0 && resumable !== undefined && finished.length > 0 && stdout.writable) {
    stdout.write(`Go on with: cairn --resume ${resumable}\n`);
  }
  return code;
}

/** Stops this process as the shell's Ctrl-Z does; `goOn` is called once, when it runs again. */
function stopUntilContinued(goOn: () => void): void {
  let isBack = false;
  const back = () => {
    if (!isBack) goOn();
    isBack = true;
    process.off("SIGCONT", back);
  };
  process.once("SIGCONT", back);
  process.kill(process.pid, "SIGTSTP");
  // Where there is no shell to go on with it, the system does not stop it.
  setTimeout(back, NOT_STOPPED_MS);
}

function colorsOf({ noColor, hasManyColors, background }: TerminalOptions): TerminalColors {
  return {
    isOff: noColor,
    isRich: hasManyColors === true,
    ...(background !== undefined && { background }),
  };
}

/** The person leaves (0), or the terminal goes away: a signal, or its end of input. */
function waitForEnd(
  session: TerminalSession,
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
): Promise<number> {
  return new Promise((resolve) => {
    void session.left.then(() => resolve(0));
    for (const [signal, code] of Object.entries(SIGNAL_CODES)) {
      process.once(signal, () => resolve(code));
    }
    stdin.once("end", () => resolve(SIGNAL_CODES.SIGHUP));
    stdin.on("error", () => resolve(SIGNAL_CODES.SIGHUP));
    // Writing to a terminal that is gone is no reason to lose what was typed.
    stdout.on("error", () => resolve(SIGNAL_CODES.SIGHUP));
  });
}
