import { isPlainObject } from "../shared/json.ts";

/**
 * Parses tool arguments. Tolerates a code fence, JSON in a string, leading empty objects, a duplicated object, raw line
 * breaks in strings and `<parameter=name>` tags. Otherwise returns the reason.
 */
export function readArguments(
  input: unknown,
): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  if (isPlainObject(input)) return { value: input };
  if (input === null || input === undefined) return { value: {} };
  const text = typeof input === "string" ? removeFence(input.trim()) : JSON.stringify(input);
  if (text === "") return { value: {} };
  const tagged = readTags(text);
  if (tagged !== undefined) return { value: tagged };
  const read = parse(text);
  if ("value" in read) {
    if (isPlainObject(read.value)) return { value: read.value };
    if (typeof read.value === "string") {
      const inner = parse(removeFence(read.value.trim()));
      if ("value" in inner && isPlainObject(inner.value)) return { value: inner.value };
    }
    return { problem: "The arguments must be a JSON object." };
  }
  const objects = findObjects(text);
  const distinct = new Map(objects?.map((one) => [JSON.stringify(one), one]));
  distinct.delete("{}");
  if (objects !== undefined && distinct.size <= 1)
    return { value: [...distinct.values()][0] ?? {} };
  if (distinct.size > 1) {
    return { problem: "The arguments contain several JSON objects. Make one call for each." };
  }
  return { problem: `The arguments are not valid JSON: ${read.problem}` };
}

/** `<parameter=path>src/a.ts</parameter>` and so on; undefined if the text is anything else. */
function readTags(text: string): Record<string, unknown> | undefined {
  const opening = /\s*<parameter=([\w.-]{1,100})>\n?/y;
  const found: Record<string, unknown> = {};
  while (opening.lastIndex < text.length) {
    const from = opening.lastIndex;
    const [full, name = ""] = opening.exec(text) ?? [];
    if (full === undefined) return undefined;
    const end = text.indexOf("</parameter>", from + full.length);
    if (end === -1) return undefined;
    found[name] = text.slice(from + full.length, end).replace(/\n$/, "");
    opening.lastIndex = end + "</parameter>".length;
  }
  return found;
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    try {
      return { value: JSON.parse(escapeControlInStrings(text)) };
    } catch {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

function removeFence(text: string): string {
  return /^```[a-z]*\s*\n([\s\S]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

function findObjects(text: string): readonly Record<string, unknown>[] | undefined {
  const found: Record<string, unknown>[] = [];
  let depth = 0;
  let start = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
      continue;
    }
    if (depth === 0 && character !== "{" && !/[\s,]/.test(character ?? "")) return undefined;
    if (character === '"') isString = true;
    else if (character === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const read = parse(text.slice(start, at + 1));
      if (!("value" in read) || !isPlainObject(read.value)) return undefined;
      found.push(read.value);
    }
  }
  return depth === 0 && found.length > 0 ? found : undefined;
}

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeControlInStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain them.
    string.replace(/[\u0000-\u001f]/g, (one) => CONTROL_ESCAPES[one] ?? ""),
  );
}

/** Resolves a tool name: ignores the prefix `functions.` and case. */
export function resolveToolName(name: string, offered: readonly string[]): string {
  if (offered.includes(name)) return name;
  const plain = name.replace(/^(?:functions?|tools?)[._:/]/i, "");
  const matches = offered.filter((one) => one.toLowerCase() === plain.toLowerCase());
  const [match] = matches;
  return match !== undefined && matches.length === 1 ? match : name;
}
