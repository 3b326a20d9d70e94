export interface Piece {
  readonly text: string;
  readonly kind: "same" | "added" | "removed";
}

/** Maximum words compared: the table grows quadratically. */
const MAX_WORDS = 600;

export function wordDifference(before: string, after: string): Piece[] {
  const [a, b] = [getWords(before), getWords(after)];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) {
    return [
      { text: before, kind: "removed" },
      { text: after, kind: "added" },
    ];
  }
  return joined(walk(a, b, commonLengths(a, b)));
}

function getWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Returns the lengths of the longest common subsequences of all pairs of suffixes. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const value =
        a[i] === b[j]
          ? at(rows, i + 1, j + 1) + 1
          : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
      const row = rows[i];
      if (row !== undefined) row[j] = value;
    }
  }
  return rows;
}

function at(rows: readonly Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

function walk(a: readonly string[], b: readonly string[], rows: readonly Uint16Array[]): Piece[] {
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      pieces.push({ text: left, kind: "same" });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || at(rows, i + 1, j) >= at(rows, i, j + 1))
    ) {
      pieces.push({ text: left, kind: "removed" });
      i += 1;
    } else {
      pieces.push({ text: right ?? "", kind: "added" });
      j += 1;
    }
  }
  return pieces;
}

function joined(pieces: readonly Piece[]): Piece[] {
  const full: Piece[] = [];
  for (const piece of pieces) {
    const last = full.at(-1);
    if (last?.kind === piece.kind)
      full[full.length - 1] = { ...last, text: last.text + piece.text };
    else full.push(piece);
  }
  return full;
}
