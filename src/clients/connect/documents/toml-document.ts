import { isDeepStrictEqual } from "node:util";
import { parse, patch } from "@decimalturn/toml-patch";
import { isPlainObject } from "../../../shared/json.ts";
import type { DocumentLanguage } from "./script-document.ts";

/**
 * TOML. The library removes values and preserves comments. New tables are appended with a header,
 * since the library would insert an inline table at the top.
 */
export const tomlDocument: DocumentLanguage = {
  title: "TOML",
  parse(text) {
    return toPlain(parse(text));
  },
  apply(text, { path, value }) {
    const without = removeKey(text, path);
    if (value === undefined) return without;
    const expected = withValue(toPlain(parse(without)), path, value);
    const appended = isPlainObject(value) ? appendText(without, path, value) : undefined;
    if (appended !== undefined && isSameDocument(appended, expected)) return appended;
    return patch(without, expected);
  },
};

function removeKey(text: string, path: readonly (string | number)[]): string {
  const content = toPlain(parse(text));
  if (!hasValue(content, path)) return text;
  return patch(text, withValue(content, path, undefined)).replace(/\n{3,}$/, "\n");
}

function appendText(
  text: string,
  path: readonly (string | number)[],
  value: Readonly<Record<string, unknown>>,
): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = [`[${path.map(String).map(keyText).join(".")}]`];
  for (const [key, item] of Object.entries(value))
    lines.push(`${keyText(key)} = ${valueText(item)}`);
  const before = text.trim() === "" ? "" : `${text.replace(/\s*$/, "")}${eol}${eol}`;
  return `${before}${lines.join(eol)}${eol}`;
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** TOML writes strings, numbers, booleans and lists like JSON, but not maps. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${valueText(item)}`);
  return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
}

function isSameDocument(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(toPlain(parse(text)), expected);
  } catch {
    // A header cannot extend an inline table, so the library changes it.
    return false;
  }
}

function hasValue(content: unknown, path: readonly (string | number)[]): boolean {
  let value = content;
  for (const name of path) {
    if (!isPlainObject(value) || !Object.hasOwn(value, name)) return false;
    value = value[String(name)];
  }
  return true;
}

function withValue(
  content: unknown,
  [name, ...rest]: readonly (string | number)[],
  value: unknown,
): Record<string, unknown> {
  const copy = isPlainObject(content) ? { ...content } : {};
  const key = String(name);
  const inner = rest.length === 0 ? value : withValue(copy[key], rest, value);
  const isMissing = inner === undefined || (value === undefined && isEmptyMap(inner));
  if (isMissing) delete copy[key];
  else copy[key] = inner;
  return copy;
}

function isEmptyMap(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Removes the parser's prototypes for comparison; preserves dates. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isPlainObject(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
}
