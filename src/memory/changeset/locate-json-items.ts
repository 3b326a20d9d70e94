export interface JsonItemLocation {
  /** Line on which the item of the outer array starts, from 1. */
  readonly line: number;
  /** Keys of the item as written, repetitions included, which `JSON.parse` would drop. */
  readonly keys: readonly string[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|\n|[^\s"[\]{},:]+/g;

/** Where the items of an array stand in its JSON text, which has parsed. */
export function locateItems(text: string): JsonItemLocation[] {
  const items: { line: number; keys: string[] }[] = [];
  let line = 1;
  let depth = 0;
  let isNewItem = false;
  let lastString = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (isNewItem && token !== "]") items.push({ line, keys: [] });
    isNewItem = depth === 1 && token === ",";
    if (token === "[" || token === "{") {
      depth += 1;
      isNewItem = depth === 1;
    } else if (token === "]" || token === "}") depth -= 1;
    else if (token === ":" && depth === 2) items.at(-1)?.keys.push(unquote(lastString));
    else if (token.startsWith('"')) lastString = token;
  }
  return items;
}

/** Keys that only differ in their escapes are the same key. */
function unquote(text: string): string {
  return String(JSON.parse(text));
}
