import { yieldToEventLoop } from "../../shared/async.ts";

export interface FeedReader<Row> {
  readonly first: number;
  readonly last: number;
  readonly limit: number;
  within(from: number, to: number, limit: number): Promise<readonly Row[]>;
  readMatching(numbers: readonly number[], limit: number): Promise<readonly Row[]>;
  /** Returns the numbers that include all matches if there are at most `most`, else undefined. */
  findIfFew(limit: number): Promise<readonly number[] | undefined>;
}

export const EVENTS_PER_READ = 1000;
const RANGE_GROWTH = 4;

/**
 * Alternates between scanning the feed and looking up matches, quadrupling the range each time.
 * Scanning finds frequent matches and lookup rare ones, so the cost is a small multiple of the
 * cheaper method.
 */
export async function scanOrLookUp<Row>(reader: FeedReader<Row>): Promise<Row[]> {
  const { first, last, limit } = reader;
  const step = first <= last ? 1 : -1;
  const found: Row[] = [];
  let next = first;
  for (let turn = EVENTS_PER_READ; ; turn *= RANGE_GROWTH) {
    const isLast = Math.abs(last - next) < turn;
    const to = isLast ? last : next + step * (turn - 1);
    found.push(...(await reader.within(next, to, limit - found.length)));
    if (found.length >= limit || isLast) return found;
    next = to + step;
    const few = await reader.findIfFew(turn);
    if (few !== undefined) {
      const ahead = few.filter((number) => (number - next) * step >= 0);
      found.push(...(await readSelected(reader, ahead, limit - found.length)));
      return found;
    }
    await yieldToEventLoop();
  }
}

async function readSelected<Row>(
  { first, last, readMatching }: FeedReader<Row>,
  numbers: readonly number[],
  limit: number,
): Promise<Row[]> {
  const found: Row[] = [];
  const inOrder = numbers.toSorted((a, b) => (first <= last ? a - b : b - a));
  for (let start = 0; start < inOrder.length && found.length < limit; start += EVENTS_PER_READ) {
    const slice = inOrder.slice(start, start + EVENTS_PER_READ);
    found.push(...(await readMatching(slice, limit - found.length)));
    await yieldToEventLoop();
  }
  return found;
}
