import { useStdout } from "ink";
import { useEffect, useState } from "react";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The live region as it was drawn last: the width of each row. */
export interface Frame {
  widths: readonly number[];
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

/** Rows that a frame takes more than it was drawn with, once the terminal has wrapped it anew. */
export function extraRows(widths: readonly number[], columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(0, Math.ceil(width / columns) - 1), 0);
}

function sizeOf(stdout: NodeJS.WriteStream): TerminalSize {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}
