export interface Line {
  /** Without its line end. */
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of a file that lacks the last one. */
  readonly end: "" | "\n" | "\r\n";
}

export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) {
      lines.push({ text: text.slice(start), end: "" });
      break;
    }
    const isCrLf = newline > start && text[newline - 1] === "\r";
    lines.push({
      text: text.slice(start, isCrLf ? newline - 1 : newline),
      end: isCrLf ? "\r\n" : "\n",
    });
    start = newline + 1;
  }
  return lines;
}
