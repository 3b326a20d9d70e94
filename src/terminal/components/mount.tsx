import { render } from "ink";
import type { Store } from "../session/store.ts";
import type { Screen } from "../state/screen.ts";
import { App } from "./app.tsx";
import { eraseWrapped, type Frame } from "./use-terminal-size.ts";

export interface Mounted {
  /** Clears the visible screen and draws everything again at the width of now. */
  redraw(): void;
  /** Leaves the cursor below what is drawn, for another program. */
  stepBelow(): void;
  unmount(): Promise<void>;
}

const MOST_FRAMES_A_SECOND = 30;

/** Puts the screen on a terminal. Input is not Ink's business here. */
export function mount(
  store: Store<Screen>,
  { stdout }: { readonly stdout: NodeJS.WriteStream },
): Mounted {
  const frame: Frame = { widths: [], cursor: undefined, isOver: false };
  // A narrower window has wrapped the old frame into more rows than Ink is going to erase.
  const onResize = () => {
    const erase = eraseWrapped(frame, stdout.columns || 80);
    if (erase !== "") stdout.write(erase);
  };
  stdout.on("resize", onResize);
  const begin = () =>
    render(<App store={store} frame={frame} />, {
      stdout,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: MOST_FRAMES_A_SECOND,
      // Ink 6.8 is a row off in this mode as soon as one row of several changes.
      incrementalRendering: false,
    });
  let ink = begin();
  return {
    redraw: () => {
      // Ink does not write again what it believes to be on screen, so it begins anew.
      ink.unmount();
      stdout.write("\x1b[2J\x1b[H");
      ink = begin();
    },
    stepBelow: () => {
      const { widths, cursor } = frame;
      const down = cursor === undefined ? "" : `\x1b[${widths.length - cursor.y}B`;
      stdout.write(`${down}\r\x1b[?25h`);
    },
    unmount: async () => {
      stdout.off("resize", onResize);
      frame.isOver = true;
      ink.rerender(<App store={store} frame={frame} />);
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
