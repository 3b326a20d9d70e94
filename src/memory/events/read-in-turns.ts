import { yieldToEventLoop } from "../../shared/async.ts";

export interface FeedReader<Row> {
  /** The first number that is wanted, and the last, which is smaller when it is read from its end. */
  readonly first: number;
  readonly last: number;
  /** Number of rows are wanted at the most. */
  readonly limit: number;
  /** The rows that pass, in order, from one number to another, both of them included. */
  within(from: number, to: number, limit: number): Promise<readonly Row[]>;
  /** The rows among a few numbers that pass, in order. */
  among(numbers: readonly number[], limit: number): Promise<readonly Row[]>;
  /** Numbers among which are all that pass, if these are at most `most`; undefined: there are more. */
  few(most: number): Promise<readonly number[] | undefined>;
}

/** So many are read in about 10 ms. */
export const READ_AT_ONCE = 1000;
const FARTHER = 4;

/**
 * Reads a stretch of the feed, then looks up what passes, in turns, each time four times as far, until one
 * of the two is done. What passes often is found in the stretch; what passes seldom is few. So the cost is
 * a small multiple of the cheaper way, which nobody has to know beforehand.
 */
export async function readInTurns<Row>(reader: FeedReader<Row>): Promise<Row[]> {
  const { first, last, limit } = reader;
  const step = first <= last ? 1 : -1;
  const found: Row[] = [];
  let next = first;
  for (let turn = READ_AT_ONCE; ; turn *= FARTHER) {
    const isLast = Math.abs(last - next) < turn;
    const to = isLast ? last : next + step * (turn - 1);
    found.push(...(await reader.within(next, to, limit - found.length)));
    if (found.length >= limit || isLast) return found;
    next = to + step;
    const few = await reader.few(turn);
    if (few !== undefined) {
      const ahead = few.filter((number) => (number - next) * step >= 0);
      found.push(...(await readAmong(reader, ahead, limit - found.length)));
      return found;
    }
    await yieldToEventLoop();
  }
}

async function readAmong<Row>(
  { first, last, among }: FeedReader<Row>,
  numbers: readonly number[],
  limit: number,
): Promise<Row[]> {
  const found: Row[] = [];
  const inOrder = numbers.toSorted((a, b) => (first <= last ? a - b : b - a));
  for (let start = 0; start < inOrder.length && found.length < limit; start += READ_AT_ONCE) {
    const slice = inOrder.slice(start, start + READ_AT_ONCE);
    found.push(...(await among(slice, limit - found.length)));
    await yieldToEventLoop();
  }
  return found;
}
