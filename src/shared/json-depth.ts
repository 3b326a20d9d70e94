/**
 * Values nested deeper than this are refused, because code that walks JSON recurses and the stack is limited.
 */
export const MAX_JSON_DEPTH = 200;

/** Whether arrays and objects are nested deeper than this. Does not recurse itself. */
export function isNestedDeeper(value: unknown, most = MAX_JSON_DEPTH): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}
