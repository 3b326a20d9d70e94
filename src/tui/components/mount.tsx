import { render } from "ink";
import type { Store } from "../session/store.ts";
import type { Screen } from "../state/screen.ts";
import type { Paint } from "../text/style.ts";
import { App } from "./app.tsx";
import { extraRows, type Frame } from "./use-terminal-size.ts";

export interface Mounted {
  /** Clears the visible screen and draws everything again at the width of now. */
  redraw(): void;
  unmount(): Promise<void>;
}

const MOST_FRAMES_A_SECOND = 30;

/** Puts the screen on a terminal. Input is not Ink's business here. */
export function mount(
  store: Store<Screen>,
  { stdout, paint }: { readonly stdout: NodeJS.WriteStream; readonly paint: Paint },
): Mounted {
  const frame: Frame = { widths: [] };
  // A narrower window has wrapped the old frame into more rows than Ink is going to erase.
  const eraseWrapped = () => {
    const extra = extraRows(frame.widths, stdout.columns || 80);
    if (extra > 0) stdout.write("\x1b[2K\x1b[1A".repeat(extra));
  };
  stdout.on("resize", eraseWrapped);
  const app = (generation: number) => (
    <App key={generation} store={store} paint={paint} frame={frame} />
  );
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
      stdout.off("resize", eraseWrapped);
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
