/** JavaScript takes this key for the prototype of an object and would silently drop its value. */
export const LOST_KEY = "__proto__";

/** Whether any object within the value has the key `__proto__`. Does not recurse. */
export function holdsLostKey(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    const objects = level.filter((item) => typeof item === "object" && item !== null);
    if (objects.some((item) => Object.hasOwn(item as object, LOST_KEY))) return true;
    level = objects.flatMap((item) => Object.values(item as object));
  }
  return false;
}
