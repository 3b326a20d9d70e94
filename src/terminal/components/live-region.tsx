import { Text, useCursor } from "ink";
import { useEffect, useState } from "react";
import { FRAME_MS } from "../live/draw-activity.ts";
import { drawLive } from "../live/draw-live.ts";
import type { Screen } from "../state/screen.ts";
import { findCursor } from "../text/find-cursor.ts";
import { paintLine } from "../text/style.ts";
import { lineWidth } from "../text/wrap.ts";
import type { Frame, TerminalSize } from "./use-terminal-size.ts";

interface LiveRegionProps {
  readonly screen: Screen;
  readonly size: TerminalSize;
  readonly frame: Frame;
}

export function LiveRegion({ screen, size, frame }: LiveRegionProps) {
  const now = useNow(screen.run !== undefined || screen.hint !== undefined);
  const lines = drawLive(screen, { ...size, now });
  const { setCursorPosition } = useCursor();
  frame.widths = lines.map(lineWidth);
  // What follows this program begins below the region.
  frame.cursor = frame.isOver ? undefined : findCursor(lines);
  setCursorPosition(frame.cursor);
  return <Text>{lines.map((line) => paintLine(line, screen.paint)).join("\n")}</Text>;
}

/** The time, moving on only while something on screen depends on it. */
function useNow(isMoving: boolean): number {
  const [, moveOn] = useState(0);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => moveOn((count) => count + 1), FRAME_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return Date.now();
}
