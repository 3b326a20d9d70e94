/** A line that Markdown joins with its neighbours: no list, quotation, table, heading, code or blank. */
const PROSE = /^(?!\d+[.)]\s)[\p{L}\p{N}"'“„«(*_`[]/u;
const FENCE = /^\s*(?:```|~~~)/;
/** Between two sentences, where one blank stands. */
const SENTENCE_END = /(?<=[.!?]["')\]]?) (?=\S)/;

/**
 * A text with each sentence on a line of its own, so that git merges changes of two sentences. Line
 * breaks of the text itself within a paragraph are written as Markdown has them, with a backslash.
 */
export function toProseLines(content: string): string[] {
  const lines = content.split("\n");
  const isCode = inFences(lines);
  return lines.flatMap((line, index) => {
    if (isCode[index] || !PROSE.test(line)) return [line];
    const next = lines[index + 1];
    const breaks = next !== undefined && !isCode[index + 1] && PROSE.test(next);
    const pieces = sentences(line);
    return pieces.map((piece, at) => (breaks && at === pieces.length - 1 ? `${piece}\\` : piece));
  });
}

/** The text that these lines hold, written by cairn or by hand. */
export function fromProseLines(lines: readonly string[]): string {
  const isCode = inFences(lines);
  const isProse = lines.map((line, index) => !isCode[index] && PROSE.test(line));
  let text = "";
  for (const [index, line] of lines.entries()) {
    const joins = isProse[index] === true && isProse[index + 1] === true;
    if (index === lines.length - 1) text += line;
    else if (!joins) text += `${line}\n`;
    else text += line.endsWith("\\") ? `${line.slice(0, -1)}\n` : `${line.trimEnd()} `;
  }
  return text;
}

function sentences(line: string): string[] {
  const pieces: string[] = [];
  for (const piece of line.split(SENTENCE_END)) {
    const last = pieces.length - 1;
    // What would read as a list or a heading on a line of its own stays where it is.
    if (last >= 0 && !PROSE.test(piece)) pieces[last] += ` ${piece}`;
    else pieces.push(piece);
  }
  return pieces;
}

/** Whether each line is of a code block, its fences included. */
function inFences(lines: readonly string[]): boolean[] {
  let isInside = false;
  return lines.map((line) => {
    const isFence = FENCE.test(line);
    const isCode = isInside || isFence;
    if (isFence) isInside = !isInside;
    return isCode;
  });
}
