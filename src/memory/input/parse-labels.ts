import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject, tryParseJson } from "../../shared/json.ts";

export interface Label {
  readonly key: string;
  readonly value: string;
}

/**
 * Parses `key=value, key=value`, an array of such texts or of `{key, value}`, an object of texts,
 * or the JSON text of either. Duplicates count once; empty text means no labels. Throws
 * invalid_input.
 */
export function parseLabels(value: unknown): Label[] {
  return removeDuplicates(readLabels(value));
}

export const labelText = ({ key, value }: Label): string => `${key}=${value}`;

export function parseLabel(text: string): Label {
  return splitAtSeparator(text, "=");
}

/** Parses `key:value`, the format of the REST parameter `label`. Throws invalid_input. */
export function parseRestLabel(text: string): Label {
  return splitAtSeparator(text, ":");
}

function readLabels(value: unknown): Label[] {
  if (typeof value === "string") {
    const structure = /^\s*[[{]/.test(value) ? tryParseJson(value) : undefined;
    if (structure !== undefined) return readLabels(structure);
    return value
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map(parseLabel);
  }
  if (Array.isArray(value)) return value.map(readItem);
  if (isPlainObject(value))
    return Object.entries(value).map(([key, text]) => requireValidLabel(key, text));
  throw invalidInput("must be comma-separated key=value pairs, an array or an object.");
}

function readItem(item: unknown): Label {
  if (typeof item === "string") return parseLabel(item);
  if (isPlainObject(item)) return requireValidLabel(item.key, item.value);
  throw invalidInput("an entry must be key=value text or an object with key and value.");
}

function splitAtSeparator(text: string, separator: "=" | ":"): Label {
  const at = text.indexOf(separator);
  if (at < 0) {
    throw invalidInput(`${JSON.stringify(text)} is not a label. Write key${separator}value.`);
  }
  return requireValidLabel(text.slice(0, at), text.slice(at + 1));
}

function requireValidLabel(key: unknown, value: unknown): Label {
  if (typeof key !== "string" || typeof value !== "string") {
    throw invalidInput("the key and value of a label must be strings.");
  }
  const label = { key: key.trim().normalize("NFC"), value: value.trim().normalize("NFC") };
  if (label.key === "") throw invalidInput("a label needs a key before its value.");
  if (label.key.includes("=")) throw invalidInput('the key of a label cannot contain "=".');
  if (label.value === "")
    throw invalidInput(`the label ${JSON.stringify(label.key)} has no value.`);
  return label;
}

function removeDuplicates(labels: readonly Label[]): Label[] {
  return [...new Map(labels.map((label) => [JSON.stringify(label), label])).values()];
}
