/** Asserts that a value is defined and returns it. */
export function expectDefined<Value>(value: Value): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`Expected a value, not ${value}`);
  return value;
}

/** Asserts that the list has an item at `index` and returns it. */
export function itemAt<Item>(list: readonly Item[] | null | undefined, index: number): Item {
  const items = expectDefined(list);
  if (index >= items.length) {
    throw new Error(`Expected an item at ${index}, but there are ${items.length}`);
  }
  return items[index] as Item;
}
