import { SHOWN_BY_DEFAULT } from "../../../memory/index.ts";
import { isPlainObject } from "../../../shared/json.ts";

/**
 * Cuts every list of a result to what a model is shown by default; `omitted` next to it counts the rest. Operations
 * bound the lists that they page themselves; this covers the lists within a record, such as the facts of a cluster.
 */
export function boundLists<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(boundLists) as Value;
  if (!isPlainObject(value)) return value;
  let omitted = 0;
  const entries = Object.entries(value).map(([field, item]) => {
    if (!Array.isArray(item) || item.length <= SHOWN_BY_DEFAULT) return [field, boundLists(item)];
    omitted += item.length - SHOWN_BY_DEFAULT;
    return [field, item.slice(0, SHOWN_BY_DEFAULT).map(boundLists)];
  });
  const bounded = Object.fromEntries(entries);
  if (omitted > 0)
    bounded.omitted = omitted + (typeof value.omitted === "number" ? value.omitted : 0);
  return bounded as Value;
}
