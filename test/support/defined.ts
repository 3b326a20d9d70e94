/** The value, in a test that goes on only where there is one. */
export function defined<Value>(value: Value): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`Expected a value, not ${value}`);
  return value;
}

/** The item at `index` of a list that must be there and reach that far. */
export function at<Item>(list: readonly Item[] | null | undefined, index: number): Item {
  const items = defined(list);
  if (index >= items.length) {
    throw new Error(`Expected an item at ${index}, but there are ${items.length}`);
  }
  return items[index] as Item;
}
