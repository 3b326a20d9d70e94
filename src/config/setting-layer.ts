import type { z } from "zod";
import { invalidInput } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { didYouMean, nearestName } from "../shared/nearest.ts";
import type { SettingDefinition } from "./setting-definitions.ts";
import { settingsSchema } from "./settings.ts";
import { valueAt } from "./value-at.ts";

type SettingOrigin = "flag" | "environment" | "project" | "user" | "default";

export interface SettingSource {
  readonly origin: SettingOrigin;
  readonly name: string;
}

export interface LayeredValue {
  readonly value: unknown;
  readonly source: SettingSource;
}

/** Values by setting key. */
export type SettingLayer = ReadonlyMap<string, LayeredValue>;

/** The settings in a file's object, checked. Throws invalid_input that names file, key and cure. */
export function layerFromFile(
  content: unknown,
  source: SettingSource,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  if (!isPlainObject(content)) {
    throw invalidInput(`${source.name}: the config is one JSON object, { "setting": value }.`);
  }
  checkSettings(content, { label: (key) => `${source.name}: "${key}"`, definitions });
  const layer = new Map<string, LayeredValue>();
  for (const { key } of definitions) {
    const value = valueAt(content, key);
    if (value !== undefined) layer.set(key, { value, source });
  }
  return layer;
}

/** Checks values that were given one by one. Throws invalid_input that names flag or variable. */
export function checkLayer(layer: SettingLayer, definitions: readonly SettingDefinition[]): void {
  const label = (key: string) => {
    const given = [...layer].find(([name]) => key === name || key.startsWith(`${name}.`));
    return given?.[1].source.name ?? `"${key}"`;
  };
  checkSettings(nested(layer), { label, definitions });
}

/** The nested object, as in a config file. */
export function nested(layer: SettingLayer): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, { value }] of layer) {
    const names = key.split(".");
    const last = names.pop() ?? key;
    let parent = root;
    for (const name of names) {
      const child = isPlainObject(parent[name]) ? parent[name] : {};
      parent[name] = child;
      parent = child;
    }
    parent[last] = value;
  }
  return root;
}

interface Explanation {
  /** How the person calls the setting `key`. */
  readonly label: (key: string) => string;
  readonly definitions: readonly SettingDefinition[];
}

function checkSettings(settings: Record<string, unknown>, explanation: Explanation): void {
  const parsed = settingsSchema.safeParse(settings);
  if (parsed.success) return;
  throw invalidInput(
    parsed.error.issues.map((issue) => explain(issue, settings, explanation)).join("\n"),
    parsed.error.issues.map((issue) => ({ key: issue.path.join("."), problem: issue.code })),
  );
}

function explain(
  issue: z.core.$ZodIssue,
  settings: Record<string, unknown>,
  { label, definitions }: Explanation,
): string {
  const key = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownNames(key, definitions);
    return issue.keys
      .map((name) => `${label(key === "" ? name : `${key}.${name}`)} ${unknownName(name, known)}`)
      .join("\n");
  }
  const value = valueAt(settings, key);
  const hint =
    issue.code === "invalid_value" && typeof value === "string"
      ? didYouMean(value, issue.values.map(String))
      : "";
  return `${label(key)} is not valid: ${issue.message.replace(/\.$/, "")}.${hint}`;
}

/** Names that may stand in the object at `key`. */
export function knownNames(
  key: string,
  definitions: readonly SettingDefinition[],
): readonly string[] {
  const prefix = key === "" ? "" : `${key}.`;
  const below = definitions.filter((definition) => definition.key.startsWith(prefix));
  return [
    ...new Set(below.map(({ key: full }) => full.slice(prefix.length).split(".")[0] ?? full)),
  ];
}

export function unknownName(name: string, known: readonly string[]): string {
  const plain = name.replaceAll(/[-_]/g, "").toLowerCase();
  const near = known.find((key) => key.toLowerCase() === plain) ?? nearestName(name, known);
  return near === undefined
    ? "is not a setting. Remove it."
    : `is not a setting. Did you mean "${near}"?`;
}
