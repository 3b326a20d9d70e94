import type { Line } from "./split-lines.ts";

/** The line end that most lines have. */
export function usualEnd(lines: readonly Line[]): "\n" | "\r\n" {
  const crLf = lines.filter((line) => line.end === "\r\n").length;
  return crLf > 0 && crLf * 2 >= lines.length - 1 ? "\r\n" : "\n";
}

/** The content as lines. One newline at its end is the end of its last line. */
export function linesOf(content: string, end: "\n" | "\r\n"): readonly Line[] {
  if (content === "") return [];
  const texts = content.split(/\r?\n/);
  if (texts.length > 1 && texts.at(-1) === "") texts.pop();
  return texts.map((text) => ({ text, end }));
}

export function joinLines(
  lines: readonly Line[],
  file: { readonly end: "\n" | "\r\n"; readonly missingLast: boolean },
): string {
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      index === last && file.missingLast ? line.text : line.text + (line.end || file.end),
    )
    .join("");
}
