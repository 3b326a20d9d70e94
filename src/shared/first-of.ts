/** The first `most` items in an order without ties. It avoids sorting all items when few are wanted. */
export function firstOf<Item>(
  items: Iterable<Item>,
  count: number,
  compare: (a: Item, b: Item) => number,
): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(item, first[middle] as Item) < 0) high = middle;
      else low = middle + 1;
    }
    first.splice(low, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
