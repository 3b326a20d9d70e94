import { render, Static, Text, useCursor, useStdout } from "ink";
import { useEffect, useState, useSyncExternalStore } from "react";
import { drawItem } from "../cards/draw-item.ts";
import { FRAME_MS } from "../live/draw-activity.ts";
import { drawLive } from "../live/draw-live.ts";
import type { Store } from "../session/store.ts";
import type { FinishedItem, Screen } from "../state/screen.ts";
import { type Paint, paintLine } from "../text/style.ts";
import { type CursorPosition, findCursor, lineWidth } from "../text/wrap.ts";

export interface Mounted {
  /** Clears the screen and redraws at the current width. */
  redraw(): void;
  /** Moves the cursor below the frame, for another program. */
  stepBelow(): void;
  unmount(): Promise<void>;
}

const MAX_FRAMES_PER_SECOND = 30;

/** Mounts the screen without Ink's input handling. */
export function mount(
  store: Store<Screen>,
  { stdout }: { readonly stdout: NodeJS.WriteStream },
): Mounted {
  const frame: Frame = { widths: [], cursor: undefined, isOver: false };
  // A narrower window wraps the old frame into more rows than Ink erases.
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
      maxFps: MAX_FRAMES_PER_SECOND,
      // Ink 6.8 is off by one row in this mode if one of several rows changes.
      incrementalRendering: false,
    });
  let ink = begin();
  return {
    redraw: () => {
      // Ink skips unchanged output, so remount it.
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

interface AppProps {
  readonly store: Store<Screen>;
  readonly frame: Frame;
}

function App({ store, frame }: AppProps) {
  const screen = useSyncExternalStore(store.subscribe, store.get);
  const size = useTerminalSize();
  return (
    <>
      <FinishedItems items={screen.finished} paint={screen.paint} columns={size.columns} />
      <LiveRegion screen={screen} size={size} frame={frame} />
    </>
  );
}

interface FinishedItemsProps {
  readonly items: readonly FinishedItem[];
  readonly paint: Paint;
  readonly columns: number;
}

/** Printed once and never redrawn, so cost does not grow with the conversation. */
function FinishedItems({ items, paint, columns }: FinishedItemsProps) {
  return (
    <Static items={items as FinishedItem[]}>
      {(item, index) => (
        <Text key={index}>
          {drawItem(item, items[index - 1], columns - 1)
            .map((line) => paintLine(line, paint))
            .join("\n")}
        </Text>
      )}
    </Static>
  );
}

interface LiveRegionProps {
  readonly screen: Screen;
  readonly size: TerminalSize;
  readonly frame: Frame;
}

function LiveRegion({ screen, size, frame }: LiveRegionProps) {
  const now = useNow(screen.run !== undefined || screen.hint !== undefined);
  const lines = drawLive(screen, { ...size, now });
  const { setCursorPosition } = useCursor();
  frame.widths = lines.map(lineWidth);
  frame.cursor = frame.isOver ? undefined : findCursor(lines);
  setCursorPosition(frame.cursor);
  return <Text>{lines.map((line) => paintLine(line, screen.paint)).join("\n")}</Text>;
}

function useNow(isMoving: boolean): number {
  const [, moveOn] = useState(0);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => moveOn((count) => count + 1), FRAME_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return Date.now();
}

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

interface Frame {
  widths: readonly number[];
  cursor: CursorPosition | undefined;
  isOver: boolean;
}

function useTerminalSize(): TerminalSize {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => terminalSize(stdout));
  useEffect(() => {
    const onResize = () => setSize(terminalSize(stdout));
    stdout.on("resize", onResize);
    return () => {
      stdout.off("resize", onResize);
    };
  }, [stdout]);
  return size;
}

function eraseWrapped({ widths, cursor }: Frame, columns: number): string {
  const extra = extraRows(widths, columns);
  if (extra === 0) return "";
  const erase = "\x1b[2K\x1b[1A".repeat(extra);
  if (cursor === undefined) return erase;
  const below = widths.length - cursor.y;
  const toEnd = below + extraRows(widths.slice(cursor.y + 1), columns);
  return `\x1b[${toEnd}B${erase}\x1b[${below}A`;
}

function extraRows(widths: readonly number[], columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(0, Math.ceil(width / columns) - 1), 0);
}

function terminalSize(stdout: NodeJS.WriteStream): TerminalSize {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}
