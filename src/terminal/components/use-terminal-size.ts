import { useStdout } from "ink";
import { useEffect, useState } from "react";
import type { CursorPosition } from "../text/find-cursor.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The live region as it was drawn last. */
export interface Frame {
  /** Of each row. */
  widths: readonly number[];
  /** Where the terminal's cursor was left in it; undefined: below its last row. */
  cursor: CursorPosition | undefined;
  /** Nothing more is typed. */
  isOver: boolean;
}

export function useTerminalSize(): TerminalSize {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const onResize = () => setSize(sizeOf(stdout));
    stdout.on("resize", onResize);
    return () => {
      stdout.off("resize", onResize);
    };
  }, [stdout]);
  return size;
}

/**
 * What takes away the rows that a frame has more than it was drawn with, once a narrower terminal
 * has wrapped it anew. The cursor comes back as many rows above the end of the frame as before.
 */
export function eraseWrapped({ widths, cursor }: Frame, columns: number): string {
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

function sizeOf(stdout: NodeJS.WriteStream): TerminalSize {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}
