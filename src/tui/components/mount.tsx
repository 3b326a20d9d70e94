import { render } from "ink";
import type { Store } from "../session/store.ts";
import type { Screen } from "../state/screen.ts";
import { App } from "./app.tsx";
import { eraseWrapped, type Frame } from "./use-terminal-size.ts";

export interface Mounted {
  /** Clears the visible screen and draws everything again at the width of now. */
  redraw(): void;
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
  const app = (generation: number) => <App key={generation} store={store} frame={frame} />;
  let generation = 0;
  const ink = render(app(generation), {
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: MOST_FRAMES_A_SECOND,
    // Ink 6.8 is a row off in this mode as soon as one row of several changes.
    incrementalRendering: false,
  });
  return {
    redraw: () => {
      ink.clear();
      stdout.write("\x1b[2J\x1b[H");
      generation += 1;
      ink.rerender(app(generation));
    },
    unmount: async () => {
      stdout.off("resize", onResize);
      frame.isOver = true;
      ink.rerender(app(generation));
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
