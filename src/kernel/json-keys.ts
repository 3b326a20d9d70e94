/** A key that JavaScript takes for the kind of an object: it would be lost without a word. */
export const LOST_KEY = "__proto__";

/** Whether an object within the value has such a key. Recurses nowhere. */
export function holdsLostKey(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    const objects = level.filter((item) => typeof item === "object" && item !== null);
    if (objects.some((item) => Object.hasOwn(item as object, LOST_KEY))) return true;
    level = objects.flatMap((item) => Object.values(item as object));
  }
  return false;
}
