import type { Tx } from "../../database/index.ts";
import type { WriteContext } from "./write-context.ts";

/** Records loaded and written per slice, about 10 ms. */
const SLICE_SIZE = 200;

export const DEFAULT_SHOWN = 200;

export class SlicedList {
  readonly slices: () => AsyncIterable<readonly unknown[]>;

  constructor(slices: () => AsyncIterable<readonly unknown[]>) {
    this.slices = slices;
  }
}

type ListContext = Pick<WriteContext, "tx" | "options">;

/**
 * Loads records by number or key, in order. If `options.consume` is set, long lists are returned as
 * a `SlicedList` that is typed as an array.
 */
export async function loadList<Item, Key = number>(
  { tx, options }: ListContext,
  numbers: readonly Key[],
  load: (tx: Tx, numbers: readonly Key[]) => Promise<Item[]>,
): Promise<Item[]> {
  if (options.consume === undefined || numbers.length <= SLICE_SIZE) return load(tx, numbers);
  return asItems(
    new SlicedList(async function* () {
      for (let start = 0; start < numbers.length; start += SLICE_SIZE) {
        options.signal?.throwIfAborted();
        yield await load(tx, numbers.slice(start, start + SLICE_SIZE));
      }
    }),
  );
}

export function cacheFirstRead<Item>(list: readonly unknown[], items: () => Item[]): Item[] {
  if (Array.isArray(list)) return items();
  return asItems(
    new SlicedList(async function* () {
      yield items();
    }),
  );
}

function asItems<Item>(list: SlicedList): Item[] {
  return list as unknown as Item[];
}

export function sliceShown<Key>({ options }: ListContext, numbers: readonly Key[]): readonly Key[] {
  return options.maxItems === undefined ? numbers : numbers.slice(0, options.maxItems);
}

export function countOmitted(
  { options }: ListContext,
  ...lists: readonly (readonly unknown[])[]
): { omitted?: number } {
  const { maxItems = Number.POSITIVE_INFINITY } = options;
  const omitted = lists.reduce((sum, list) => sum + Math.max(0, list.length - maxItems), 0);
  return omitted === 0 ? {} : { omitted };
}
