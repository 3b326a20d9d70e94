const PIECES = /\p{Script=Latin}+|\p{L}+|\p{N}+|\n|[^\p{L}\p{N}\s]+/gu;

/**
 * Number of tokens a text has at most, or nearly so: words by their length, hashes and numbers by
 * their
 * parts, other scripts by their bytes. For budgets so small that a count by bytes alone would leave
 * half of the room unused in English, or overrun it in code.
 */
export function estimatedTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

function tokensOf(piece: string): number {
  if (/^\p{Script=Latin}/u.test(piece)) {
    const parts = piece.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.reduce((sum, part) => sum + Math.ceil(part.length / 7), 0);
  }
  if (/^\p{L}/u.test(piece)) return Math.ceil(Buffer.byteLength(piece) / 3);
  if (/^\p{N}/u.test(piece)) return Math.ceil(piece.length / 3);
  return Math.ceil(Buffer.byteLength(piece) / 2);
}
