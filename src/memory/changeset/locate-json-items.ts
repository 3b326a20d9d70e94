export interface JsonItemLocation {
  /** Line on which the item of the outer array starts, from 1. */
  readonly line: number;
  /** Keys of the item as written, repetitions included, which `JSON.parse` would drop. */
  readonly keys: readonly string[];
}

/** All but strings, whose length would exhaust the stack of the regex engine. */
const TOKEN = /["[\]{},:\n]|[^\s"[\]{},:]{1,4096}/g;

/** Where the items of an array stand in its JSON text, which has parsed. */
export function locateItems(text: string): JsonItemLocation[] {
  const items: { line: number; keys: string[] }[] = [];
  let line = 1;
  let depth = 0;
  let isNewItem = false;
  let lastString = "";
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    let [token] = match;
    if (token === '"') {
      const end = endOfString(text, match.index);
      token = text.slice(match.index, end);
      TOKEN.lastIndex = end;
    }
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

/** Position after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let escapes = 0;
    while (text.charAt(quote - 1 - escapes) === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Keys that only differ in their escapes are the same key. */
function unquote(text: string): string {
  return String(JSON.parse(text));
}
