export function groupBy<Key, Value>(
  values: Iterable<Value>,
  getKey: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = getKey(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

export function indexBy<Key, Value>(
  values: Iterable<Value>,
  getKey: (value: Value) => Key,
): Map<Key, Value> {
  return new Map(Array.from(values, (value) => [getKey(value), value]));
}

/** Returns the first `count` items of a total order, without sorting all items. */
export function topK<Item>(
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

/** Defers `make` to the first use, to keep imports fast. */
export function lazy<Made>(make: () => Made): () => Made {
  let cached: { readonly value: Made } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** Caches results for the lifetime of the process; use with few keys only. */
export function memoize<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as Made;
  };
}
