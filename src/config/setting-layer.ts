import type { z } from "zod";
import { invalidInput } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { didYouMean, nearestName } from "../shared/nearest.ts";
import { getValueAtPath } from "./get-value-at-path.ts";
import type { ConfigFile } from "./read-config-file.ts";
import type { Reader } from "./reader.ts";
import type { SettingDefinition } from "./setting-definitions.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import { settingsSchema } from "./settings.ts";

type SettingOrigin = "flag" | "environment" | "project" | "user" | "default";

export interface SettingSource {
  readonly origin: SettingOrigin;
  readonly name: string;
}

export interface LayeredValue {
  readonly value: unknown;
  readonly source: SettingSource;
}

export type SettingLayer = ReadonlyMap<string, LayeredValue>;

/** Validates a config object. Throws invalid_input naming file, key and fix. */
export function layerFromFile(
  content: unknown,
  source: SettingSource,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  if (!isPlainObject(content)) {
    throw invalidInput(`${source.name}: the config must be one JSON object, { "setting": value }.`);
  }
  checkSettings(content, { label: (key) => `${source.name}: "${key}"`, definitions });
  const layer = new Map<string, LayeredValue>();
  for (const { key } of definitions) {
    const value = getValueAtPath(content, key);
    if (value !== undefined) layer.set(key, { value, source });
  }
  return layer;
}

/** Validates individual values. Throws invalid_input naming flag or variable. */
export function checkLayer(layer: SettingLayer, definitions: readonly SettingDefinition[]): void {
  const label = (key: string) => {
    const values = [...layer].find(([name]) => key === name || key.startsWith(`${name}.`));
    return values?.[1].source.name ?? `"${key}"`;
  };
  checkSettings(toNested(layer), { label, definitions });
}

export function toNested(layer: SettingLayer): Record<string, unknown> {
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
  /** Displayed name of a setting. */
  readonly label: (key: string) => string;
  readonly definitions: readonly SettingDefinition[];
}

function checkSettings(settings: Record<string, unknown>, explanation: Explanation): void {
  const parsed = settingsSchema.safeParse(settings);
  if (parsed.success) return;
  throw invalidInput(
    parsed.error.issues.map((issue) => explainIssue(issue, settings, explanation)).join("\n"),
    parsed.error.issues.map((issue) => ({ key: issue.path.join("."), problem: issue.code })),
  );
}

function explainIssue(
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
  return `${label(key)} ${describeInvalid(issue, settings)}`;
}

function describeInvalid(issue: z.core.$ZodIssue, settings: unknown): string {
  const value = getValueAtPath(settings, issue.path.map(String).join("."));
  const hint =
    issue.code === "invalid_value" && typeof value === "string"
      ? didYouMean(value, issue.values.map(String))
      : "";
  return `is not valid: ${issue.message.replace(/\.$/, "")}.${hint}`;
}

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
  const nearest = known.find((key) => key.toLowerCase() === plain) ?? nearestName(name, known);
  return nearest === undefined
    ? "is not a setting. Remove it."
    : `is not a setting. Did you mean "${nearest}"?`;
}

interface TrustQuestion {
  readonly user?: SettingLayer;
  readonly reader: Reader;
}

/** Keys that only apply in a trusted project. */
export function trustedOnlyKeys(
  layer: SettingLayer,
  { user = new Map(), reader }: TrustQuestion,
): readonly string[] {
  const rules = trustRules();
  return [...layer].flatMap(([key, { value }]) => {
    const rule = rules.get(key);
    if (rule === "anyone" || (rule === "person" && reader === "person")) return [];
    return typeof rule === "function" && rule(value, user.get(key)?.value) ? [] : [key];
  });
}

/** True if the setting, or some of its values, require a trusted project. */
export function needsTrust(key: string): boolean {
  return trustRules().get(key) !== "anyone";
}

function trustRules() {
  return new Map(settingDefinitions().map(({ key, trust }) => [key, trust]));
}

interface KeyLayers {
  readonly user: SettingLayer;
  readonly project: SettingLayer;
  readonly overrides: SettingLayer;
}

export interface KeyQuestion {
  readonly key: string;
  readonly provider: string;
  readonly fallback: string;
}

/**
 * True if the active key belongs to the active provider: the one named in the key's own layer, or
 * in the user's layers below. A key is never used with a provider set by another layer.
 */
export function isOwnKey(question: KeyQuestion, layers: KeyLayers): boolean {
  const { user, project, overrides } = layers;
  const providerOf = (layer: SettingLayer) => layer.get(question.provider)?.value;
  const inForce =
    providerOf(overrides) ?? providerOf(project) ?? providerOf(user) ?? question.fallback;
  const own = () => {
    if (overrides.has(question.key)) return providerOf(overrides) ?? providerOf(user);
    if (project.has(question.key)) return providerOf(project) ?? providerOf(user);
    return providerOf(user);
  };
  return (own() ?? question.fallback) === inForce;
}

interface ProjectLayer {
  readonly layer: SettingLayer;
  readonly warnings: readonly string[];
}

/**
 * Reads a project's config. Ignores unknown names with a warning, since the author may use a newer
 * version. Throws invalid_input for invalid values in a trusted file.
 */
export function projectLayer(file: ConfigFile | undefined, isTrusted: boolean): ProjectLayer {
  if (file === undefined) return { layer: new Map(), warnings: [] };
  const definitions = settingDefinitions();
  const source = { origin: "project", name: file.path } as const;
  const { content, warnings } = withoutUnknown(file, { definitions, isTrusted });
  return { layer: layerFromFile(content, source, definitions), warnings };
}

interface Options {
  readonly definitions: readonly SettingDefinition[];
  readonly isTrusted: boolean;
}

interface KnownNames {
  readonly content: unknown;
  /** One per ignored name. */
  readonly warnings: readonly string[];
}

/** Removes unknown names at any depth, and invalid values of an untrusted file. */
function withoutUnknown({ path, content }: ConfigFile, options: Options): KnownNames {
  const parsed = isPlainObject(content) ? settingsSchema.safeParse(content) : undefined;
  if (parsed === undefined || parsed.success) return { content, warnings: [] };
  const { definitions, isTrusted } = options;
  const warnings: string[] = [];
  const remaining = structuredClone(content);
  for (const issue of parsed.error.issues) {
    const at = issue.path.map(String).join(".");
    const setting = definitions.find(({ key }) => at === key || at.startsWith(`${key}.`));
    if (issue.code !== "unrecognized_keys") {
      // Invalid values in an untrusted repository must not prevent startup.
      if (isTrusted) continue;
      removeKey(remaining, splitKey(setting?.key ?? at));
      warnings.push(`${path}: "${at}" ${describeInvalid(issue, content)} The setting is ignored.`);
      continue;
    }
    if (setting !== undefined && isTrusted) continue;
    const known = knownNames(at, definitions);
    for (const name of issue.keys) {
      const full = at === "" ? name : `${at}.${name}`;
      removeKey(remaining, setting === undefined ? { parent: at, name } : splitKey(setting.key));
      warnings.push(`${path}: "${full}" ${unknownName(name, known)} Ignored.`);
    }
  }
  return { content: remaining, warnings };
}

interface KeyPath {
  readonly parent: string;
  readonly name: string;
}

function splitKey(key: string): KeyPath {
  const dot = key.lastIndexOf(".");
  return { parent: key.slice(0, Math.max(dot, 0)), name: key.slice(dot + 1) };
}

function removeKey(content: unknown, { parent, name }: KeyPath): void {
  const holder = parent === "" ? content : getValueAtPath(content, parent);
  if (isPlainObject(holder)) delete holder[name];
}
