import { isAbsolute, join, resolve } from "node:path";
import { type LlmSettings, loadStoredKey, SERVICES, STORED_KEYS_FILE } from "../llm/settings.ts";
import type { Environment } from "../shared/environment.ts";
import { invalidInput } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { didYouMean } from "../shared/nearest.ts";
import { parseField } from "../shared/parse-field.ts";
import { type ChosenDatabase, chooseDatabase } from "./choose-database.ts";
import { getValueAtPath } from "./get-value-at-path.ts";
import { type ConfigPaths, configPaths, type PathContext } from "./paths.ts";
import { combineServers, loadProjectServers, SERVERS_KEY } from "./project-servers.ts";
import { type ConfigFile, readConfigFile } from "./read-config-file.ts";
import type { Reader } from "./reader.ts";
import { type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";
import {
  checkLayer,
  isOwnKey,
  type KeyQuestion,
  type LayeredValue,
  layerFromFile,
  projectLayer,
  type SettingLayer,
  type SettingSource,
  toNested,
  trustedOnlyKeys,
} from "./setting-layer.ts";
import { type Settings, settingsSchema } from "./settings.ts";
import {
  exposureWarning,
  foreignKeyWarning,
  misspeltVariableWarnings,
  serverWarnings,
  type TrustStatus,
  trustState,
  trustWarning,
} from "./workspace-trust.ts";

const RULES_KEY = "permission.rules";

interface RuleLayers {
  readonly user: SettingLayer;
  readonly project: SettingLayer;
  readonly overrides: SettingLayer;
  readonly isTrusted: boolean;
}

/**
 * Concatenates rules of all layers, the user's first, because the last match wins. Rules of an
 * untrusted project can only be stricter.
 */
function combineRules(layers: RuleLayers): LayeredValue | undefined {
  const { user, project, overrides, isTrusted } = layers;
  const projectRules = readRules(project).map((rule) =>
    isTrusted || !isPlainObject(rule) ? rule : { ...rule, tightens: true },
  );
  const value = [...readRules(user), ...projectRules, ...readRules(overrides)];
  const last = overrides.get(RULES_KEY) ?? project.get(RULES_KEY) ?? user.get(RULES_KEY);
  return last === undefined ? undefined : { value, source: last.source };
}

function readRules(layer: SettingLayer): readonly unknown[] {
  const rules = layer.get(RULES_KEY)?.value;
  return Array.isArray(rules) ? rules : [];
}

const PROXY_VARIABLES: Readonly<Record<"proxy" | "noProxy", readonly string[]>> = {
  proxy: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"],
  noProxy: ["NO_PROXY", "no_proxy"],
};

type Proxies = Pick<LlmSettings, "proxy" | "noProxy">;

function readProxies(env: Environment): Proxies {
  const readFirst = (key: keyof typeof PROXY_VARIABLES) =>
    PROXY_VARIABLES[key]
      .map((name) => env[name]?.trim())
      .find((value) => value !== undefined && value !== "");
  const [proxy, noProxy] = [readFirst("proxy"), readFirst("noProxy")];
  return {
    ...(proxy !== undefined && { proxy: proxy.includes("://") ? proxy : `http://${proxy}` }),
    ...(noProxy !== undefined && { noProxy }),
  };
}

export interface LoadOptions extends PathContext {
  /**
   * By setting name: `uiPort`, `embedding.provider` or `embeddingProvider`. Text is parsed like a
   * variable; undefined means unset.
   */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly reader: Reader;
}

const PROVIDER_KEYS: readonly KeyQuestion[] = [
  { key: "apiKey", provider: "provider", fallback: "openai" },
  { key: "embedding.apiKey", provider: "embedding.provider", fallback: "minilm" },
];

export interface LoadedConfig {
  readonly settings: Settings & Proxies;
  /** Default database. */
  readonly database: ChosenDatabase;
  /** Messages about ignored settings that name another database; also in `warnings`. */
  readonly refused: readonly string[];
  readonly paths: ConfigPaths;
  readonly dataDir: string;
  readonly sources: ReadonlyMap<string, SettingSource>;
  readonly trust: TrustStatus["state"];
  readonly warnings: readonly string[];
}

/**
 * Loads settings by precedence: flags, `CAIRN_*`, project config, user config, defaults. Throws
 * invalid_input naming the source and fix.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const definitions = settingDefinitions();
  const paths = configPaths(options);
  const userFile = readConfigFile(paths.userConfigFile);
  const projectFile = readConfigFile(paths.projectConfigFile);
  const user = userLayer(userFile, definitions);
  const trust = trustState(paths, projectFile);
  const { layer: project, warnings: unknown } = projectLayer(projectFile, trust === "trusted");
  const { reader } = options;
  const question = { user, reader };
  const ignored = trust === "trusted" ? [] : trustedOnlyKeys(project, question);
  const accepted = new Map([...project].filter(([key]) => !ignored.includes(key)));
  const environment = environmentLayer(options.env, definitions);
  const flags = flagLayer(options.flags ?? {}, definitions);
  const overrides = new Map([...environment, ...flags]);
  const merged = new Map([...user, ...accepted, ...overrides]);
  const layers = { user, project: accepted, overrides };
  const foreign = PROVIDER_KEYS.filter((one) => merged.has(one.key) && !isOwnKey(one, layers));
  const foreignKeys = foreign.map((one) => foreignKeyWarning(one, merged));
  for (const { key } of foreign) merged.delete(key);
  const rules = combineRules({ user, project, overrides, isTrusted: trust === "trusted" });
  if (rules !== undefined) merged.set(RULES_KEY, rules);
  const mcpServers = loadProjectServers(paths.configRoot);
  const file = trust === "trusted" ? mcpServers : undefined;
  const servers = combineServers({ ...layers, file });
  if (servers !== undefined) merged.set(SERVERS_KEY, servers);

  const settings = settingsSchema.parse(toNested(merged));
  if (settings.apiKey === undefined) {
    const key = providerKey(settings.provider, options.env);
    const storedKey = key === undefined ? findStoredKey(paths.userConfigDir, settings) : undefined;
    if (key !== undefined) merged.set("apiKey", key);
    for (const [name, value] of storedKey ?? []) merged.set(name, value);
  }
  const dataDir = dataDirectory(merged.get("dataDir"), paths);
  const { chosen, refused } = chooseDatabase({ ...options, overrides, user, reader, dataDir });
  return {
    settings: { ...settingsSchema.parse(toNested(merged)), ...readProxies(options.env) },
    database: chosen,
    refused,
    paths,
    dataDir,
    sources: new Map([...merged].map(([key, { source }]) => [key, source])),
    trust,
    warnings: [
      ...unknown,
      ...trustWarning(paths, trust, ignored),
      ...refused.filter((sentence) => !isReportable(sentence, paths, ignored)),
      ...(reader === "model" ? serverWarnings(mcpServers, trust) : []),
      ...foreignKeys,
      ...exposureWarning(userFile, user, definitions),
      ...misspeltVariableWarnings(options.env, definitions),
    ],
  };
}

function userLayer(
  file: ConfigFile | undefined,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  if (file === undefined) return new Map();
  return layerFromFile(file.content, { origin: "user", name: file.path }, definitions);
}

/** The project config's warning already lists `db` among its ignored settings. */
function isReportable(sentence: string, paths: ConfigPaths, ignored: readonly string[]): boolean {
  return ignored.includes("db") && sentence.startsWith(`${paths.projectConfigFile} `);
}

function dataDirectory(input: LayeredValue | undefined, paths: ConfigPaths): string {
  if (input === undefined) return paths.defaultDataDir;
  const path = String(input.value);
  if (path === "~" || path.startsWith("~/")) return join(paths.home, path.slice(1));
  if (isAbsolute(path)) return path;
  const base = input.source.origin === "user" ? paths.userConfigDir : paths.configRoot;
  return resolve(base, path);
}

function providerKey(provider: keyof typeof SERVICES, env: Environment): LayeredValue | undefined {
  const name = SERVICES[provider].keyVariable;
  const value = name === undefined ? undefined : env[name]?.trim();
  if (name === undefined || value === undefined || value === "") return undefined;
  return { value, source: { origin: "environment", name } };
}

/**
 * Returns the key stored by `cairn login`, or the command that fetches it, for the service's own
 * address only.
 */
function findStoredKey(
  userConfigDir: string,
  { provider, baseUrl, apiKeyCommand }: Pick<LlmSettings, "provider" | "baseUrl" | "apiKeyCommand">,
): readonly (readonly [string, LayeredValue])[] {
  if (baseUrl !== undefined || apiKeyCommand !== undefined) return [];
  const file = join(userConfigDir, STORED_KEYS_FILE);
  const source = { origin: "user" as const, name: file };
  return Object.entries(loadStoredKey(file, provider)).map(([key, value]) => [
    key,
    { value, source },
  ]);
}

/** Ignores empty variables. Throws invalid_input. */
function environmentLayer(
  env: Environment,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  const layer = new Map<string, LayeredValue>();
  for (const definition of definitions) {
    const text = env[definition.variable];
    if (text === undefined || text === "") continue;
    const value = parseField(definition.kind, text, definition.variable);
    const source = { origin: "environment", name: definition.variable } as const;
    layer.set(definition.key, { value, source });
  }
  checkLayer(layer, definitions);
  return layer;
}

/** Throws invalid_input. */
function flagLayer(
  flags: Readonly<Record<string, unknown>>,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  const layer = new Map<string, LayeredValue>();
  for (const [name, input] of Object.entries(flags)) {
    if (input === undefined) continue;
    const definition = definitions.find(({ key }) => key === name || flatKey(key) === name);
    if (definition === undefined) {
      const known = definitions.map(({ key }) => flatKey(key));
      throw invalidInput(`"${name}" is not a setting.${didYouMean(name, known)}`);
    }
    const { flag, key } = definition;
    const value = typeof input === "string" ? parseField(definition.kind, input, flag) : input;
    layer.set(key, { value, source: { origin: "flag", name: flag } });
  }
  checkLayer(layer, definitions);
  return layer;
}

function flatKey(key: string): string {
  return key.replaceAll(/\.([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

interface DescribedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly source: SettingSource;
  readonly variable: string;
  readonly flag: string;
  readonly description: string;
}

export function describeConfig(config: LoadedConfig): readonly DescribedSetting[] {
  return settingDefinitions().map(({ key, variable, flag, description, secret }) => {
    const value = getValueAtPath(config.settings, key);
    return {
      key,
      value: secret && value !== undefined ? "(hidden)" : value,
      source: config.sources.get(key) ?? { origin: "default", name: "" },
      variable,
      flag,
      description,
    };
  });
}
