import { foldText } from "../search/fold-text.ts";

/** Shorter words are compared whole. Longer ones may differ at the end, as in "deploy", "deployed". */
const LONG_WORD = 5;
const ENDING = 2;
/** Text without a break is cut into pieces of so many characters. */
const PIECE = 240;

/**
 * The part of a text that says most about these words, within so many characters: whole consecutive sentences
 * and lines, including code. A word counts less the more pieces contain it. Undefined if none contains any.
 */
export function matchingPart(
  text: string,
  words: readonly string[],
  most: number,
): string | undefined {
  const room = most - 2 * (GAP.length + 1);
  const pieces = piecesOf(text.trim(), Math.min(PIECE, room));
  const sought = [...new Set(words.map(beginningOf))];
  const held = pieces.map((piece) => {
    const folded = foldText(piece);
    return sought.filter((word) => folded.includes(word));
  });
  const pieceCounts = new Map<string, number>();
  for (const word of held.flat()) pieceCounts.set(word, (pieceCounts.get(word) ?? 0) + 1);
  if (pieceCounts.size === 0) return undefined;
  let best: { weight: number; readonly starts: number[] } = { weight: 0, starts: [] };
  for (const start of pieces.keys()) {
    const end = endWithin(pieces, start, room);
    let weight = 0;
    for (const word of new Set(held.slice(start, end).flat())) {
      weight += 1 / Math.sqrt(pieceCounts.get(word) ?? 1);
    }
    if (weight > best.weight) best = { weight, starts: [start] };
    else if (weight === best.weight && best.starts.at(-1) === start - 1) best.starts.push(start);
    if (end === pieces.length) break;
  }
  const start = best.starts[best.starts.length >> 1] ?? 0;
  const end = endWithin(pieces, start, room);
  const shown = pieces.slice(start, end).join("").trim();
  const isCutBefore = start > 0;
  const isCutAfter = end < pieces.length;
  return `${isCutBefore ? `${GAP} ` : ""}${shown}${isCutAfter ? ` ${GAP}` : ""}`;
}

const GAP = "…";

function endWithin(pieces: readonly string[], start: number, room: number): number {
  let end = start;
  for (let left = room; end < pieces.length; end += 1) {
    left -= pieces[end]?.length ?? 0;
    if (left < 0) break;
  }
  return end;
}

function piecesOf(text: string, longest: number): string[] {
  return text
    .split(/(?<=\n)|(?<=[.!?。！？]\s)|(?<=[。！？])/u)
    .flatMap((piece) => cutPieces(piece, longest));
}

function cutPieces(text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const space = rest.lastIndexOf(" ", longest - 1) + 1;
    const cut = space > longest / 2 ? space : longest;
    const end = rest.length <= longest ? rest.length : cut;
    const piece = rest.slice(0, end).replace(/(?<=.)[\uD800-\uDBFF]$/s, "");
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** Words have the form of `queryWords`: pairs of characters for scripts without spaces. */
export function beginningOf(word: string): string {
  const together = word.replace(" ", "");
  return together.length > LONG_WORD &&
    /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(together)
    ? together.slice(0, Math.max(LONG_WORD - 1, together.length - ENDING))
    : together;
}
