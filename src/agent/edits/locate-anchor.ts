import { invalidInput } from "../../shared/errors.ts";
import { shorten } from "../../shared/text.ts";
import { hashLine, hashline } from "./hash-line.ts";
import type { Line } from "./split-lines.ts";

const SURROUNDINGS = 3;
const NEARBY = 60;

export interface Location {
  readonly index: number;
  readonly moved: number;
}

export interface AnchorPlace {
  readonly field: string;
  readonly lines: readonly Line[];
}

/**
 * Finds the line of an anchor; a moved line by its hash, if it is unique nearby. Throws
 * invalid_input with the current lines.
 */
export function locateAnchor(anchor: string, { field, lines }: AnchorPlace): Location {
  const { number, hash, text } = readAnchor(anchor, { field, lines });
  const index = number - 1;
  const line = lines[index];
  if (
    line !== undefined &&
    (hash === undefined ? line.text === text : hashLine(line.text) === hash)
  ) {
    return { index, moved: 0 };
  }
  const found = hash === undefined ? [] : withHash(lines, { hash, index });
  const [only] = found;
  if (only !== undefined && found.length === 1) return { index: only, moved: only - index };
  const elsewhere =
    found.length > 1 ? ` Its text is now on lines ${found.map((at) => at + 1).join(", ")}.` : "";
  throw invalidInput(
    `${field}: line ${number} is not what "${shorten(anchor, 80)}" says.${elsewhere} Nothing was ` +
      `changed. The lines now are:\n${surroundings(lines, index)}`,
  );
}

/** A line such as `}` is not unique enough to be found by its hash. */
export function tellsItsPlace(line: Pick<Line, "text"> | undefined): boolean {
  return (line?.text.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= 2;
}

export function surroundings(lines: readonly Line[], index: number): string {
  if (lines.length === 0) return "(the file is empty)";
  const middle = Math.min(Math.max(index, 0), lines.length - 1);
  const first = Math.max(0, middle - SURROUNDINGS);
  return lines
    .slice(first, middle + SURROUNDINGS + 1)
    .map((line, offset) => hashline(line.text, first + offset + 1))
    .join("\n");
}

interface Anchor {
  readonly number: number;
  /** Undefined if the anchor has the text of the line instead. */
  readonly hash: string | undefined;
  readonly text: string | undefined;
}

function readAnchor(anchor: string, { field, lines }: AnchorPlace): Anchor {
  const hashed = /^\s*(\d+)\s*:\s*([0-9a-f]+)\s*(?:\|(.*))?$/is.exec(anchor);
  if (hashed !== null) {
    return { number: Number(hashed[1]), hash: hashed[2]?.toLowerCase(), text: hashed[3] };
  }
  const numbered = /^\s*(\d+)\|(.+)$/s.exec(anchor);
  if (numbered !== null) return { number: Number(numbered[1]), hash: undefined, text: numbered[2] };
  const number = /^\s*(\d+)/.exec(anchor)?.[1];
  const shown =
    number === undefined ? "" : ` The lines there are:\n${surroundings(lines, Number(number) - 1)}`;
  throw invalidInput(
    `${field}: an anchor is LINE:HASH as read shows it, not "${shorten(anchor, 80)}". Nothing was ` +
      `changed.${shown}`,
  );
}

function withHash(
  lines: readonly Line[],
  { hash, index }: { readonly hash: string; readonly index: number },
): readonly number[] {
  const first = Math.max(0, index - NEARBY);
  return lines
    .slice(first, Math.max(0, index + NEARBY + 1))
    .flatMap(({ text }, offset) => (hashLine(text) === hash ? [first + offset] : []));
}
