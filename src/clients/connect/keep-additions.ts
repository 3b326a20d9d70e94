import { isPlainObject } from "../../shared/json.ts";

/**
 * cairn's entry with what a person added to the existing one, such as a time limit or a variable.
 * Lists of maps are matched by position if their lengths are equal; any other list is cairn's
 * alone.
 */
export function keepAdditions(present: unknown, wanted: unknown): unknown {
  if (isPlainObject(present) && isPlainObject(wanted)) {
    const own = Object.entries(wanted).map(([name, value]) => [
      name,
      keepAdditions(present[name], value),
    ]);
    return { ...present, ...Object.fromEntries(own) };
  }
  if (!isListOfMaps(present) || !isListOfMaps(wanted)) return wanted;
  if (present.length !== wanted.length) return wanted;
  return wanted.map((item, index) => keepAdditions(present[index], item));
}

function isListOfMaps(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPlainObject);
}
