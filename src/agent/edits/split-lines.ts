export interface Line {
  readonly text: string;
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

export function commonLineEnd(lines: readonly Line[]): "\n" | "\r\n" {
  const crLf = lines.filter((line) => line.end === "\r\n").length;
  return crLf > 0 && crLf * 2 >= lines.length - 1 ? "\r\n" : "\n";
}

/** A newline at the end belongs to the last line. */
export function parseLines(content: string, end: "\n" | "\r\n"): readonly Line[] {
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

/** `12:0af3|`, as read shows a line in hashline mode. */
const ANCHOR_PREFIX = /^\s*(\d+):([0-9a-f]{4})\|/i;
/** `12<tab>`, `12|` and `12→`, as other agents show lines. */
const NUMBER_PREFIX = /^\s*(\d+)(?:\t|\||→)/;

interface EchoLocation {
  readonly first: number;
  readonly lines: readonly Line[];
}

/** Removes line numbers or anchors that a model copied; undefined if it copied none. */
export function withoutEchoes(text: string, location: EchoLocation): string | undefined {
  const values = text.split("\n");
  if (values.every((line) => line.trim() === "")) return undefined;
  for (const prefix of [ANCHOR_PREFIX, NUMBER_PREFIX]) {
    const numbers = values.flatMap((line) => parseLineNumbers(line, prefix));
    const isMarked = values.every((line) => line.trim() === "" || prefix.test(line));
    if (!isMarked || !isAscending(numbers) || isLineOfFile(prefix, location)) continue;
    if (prefix === NUMBER_PREFIX && !isAdjacent(numbers, location.first)) continue;
    return values.map((line) => line.replace(prefix, "")).join("\n");
  }
  return undefined;
}

/** Returns a line that begins with the anchor of a line nearby. */
export function strayAnchor(text: string, { first, lines }: EchoLocation): string | undefined {
  if (isLineOfFile(ANCHOR_PREFIX, { first, lines })) return undefined;
  const values = text.split("\n");
  const nearby = values.length + 20;
  return values.find((line) => {
    const number = ANCHOR_PREFIX.exec(line)?.[1];
    return number !== undefined && Math.abs(Number(number) - first) <= nearby;
  });
}

function parseLineNumbers(line: string, prefix: RegExp): readonly number[] {
  const number = prefix.exec(line)?.[1];
  return number === undefined ? [] : [Number(number)];
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));
}

/** Plain numbers are common in data: they must match the affected lines without a gap. */
function isAdjacent(numbers: readonly number[], first: number): boolean {
  const start = numbers[0] ?? Number.NaN;
  const isGapless = numbers.every((number, index) => number === start + index);
  return isGapless && (start === first || start === first + 1);
}

function isLineOfFile(prefix: RegExp, { first, lines }: EchoLocation): boolean {
  return lines.slice(Math.max(0, first - 20), first + 20).some(({ text }) => prefix.test(text));
}
