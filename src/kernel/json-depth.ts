/** Deeper values are refused: what works on JSON recurses, and the stack has an end. */
export const MAX_JSON_DEPTH = 200;

/** Whether arrays and objects lie within each other deeper than this. Recurses nowhere itself. */
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
