import { foldText } from "../search/fold-text.ts";

/** Up to this length words match exactly; longer ones may differ in their ending. */
const LONG_WORD_LENGTH = 5;
const SUFFIX_LENGTH = 2;
/** Chunk size for text without line or sentence breaks. */
const PIECE_CHARACTERS = 240;

/**
 * Returns the part of a text with the most information about these words, within the length limit:
 * consecutive complete sentences and lines, including code. Words in many sentences count less.
 * Undefined if no word occurs.
 */
export function findMatchingPart(
  text: string,
  words: readonly string[],
  limit: number,
): string | undefined {
  const room = limit - 2 * (GAP_MARK.length + 1);
  const pieces = splitPieces(text.trim(), Math.min(PIECE_CHARACTERS, room));
  const sought = [...new Set(words.map(searchPrefix))];
  const wordsOfPieces = pieces.map((piece) => {
    const folded = foldText(piece);
    return sought.filter((word) => folded.includes(word));
  });
  const pieceCounts = new Map<string, number>();
  for (const word of wordsOfPieces.flat()) pieceCounts.set(word, (pieceCounts.get(word) ?? 0) + 1);
  if (pieceCounts.size === 0) return undefined;
  let best: { weight: number; readonly starts: number[] } = { weight: 0, starts: [] };
  for (const start of pieces.keys()) {
    const end = findEndWithin(pieces, start, room);
    let weight = 0;
    for (const word of new Set(wordsOfPieces.slice(start, end).flat())) {
      weight += 1 / Math.sqrt(pieceCounts.get(word) ?? 1);
    }
    if (weight > best.weight) best = { weight, starts: [start] };
    else if (weight === best.weight && best.starts.at(-1) === start - 1) best.starts.push(start);
    if (end === pieces.length) break;
  }
  const start = best.starts[best.starts.length >> 1] ?? 0;
  const end = findEndWithin(pieces, start, room);
  const excerpt = pieces.slice(start, end).join("").trim();
  const isCutBefore = start > 0;
  const isCutAfter = end < pieces.length;
  return `${isCutBefore ? `${GAP_MARK} ` : ""}${excerpt}${isCutAfter ? ` ${GAP_MARK}` : ""}`;
}

const GAP_MARK = "…";

function findEndWithin(pieces: readonly string[], start: number, room: number): number {
  let end = start;
  for (let left = room; end < pieces.length; end += 1) {
    left -= pieces[end]?.length ?? 0;
    if (left < 0) break;
  }
  return end;
}

function splitPieces(text: string, longest: number): string[] {
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

/** Expects words in the form of `parseQueryWords`: character pairs for scripts without spaces. */
export function searchPrefix(word: string): string {
  const combined = word.replace(" ", "");
  return combined.length > LONG_WORD_LENGTH &&
    /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(combined)
    ? combined.slice(0, Math.max(LONG_WORD_LENGTH - 1, combined.length - SUFFIX_LENGTH))
    : combined;
}
