import { isPlainObject } from "../shared/json.ts";
import type { ConfigFile } from "./read-config-file.ts";
import { type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";
import { knownNames, layerFromFile, type SettingLayer, unknownName } from "./setting-layer.ts";
import { settingsSchema } from "./settings.ts";
import { valueAt } from "./value-at.ts";

export interface ProjectLayer {
  readonly layer: SettingLayer;
  /** Sentences about what was left out. */
  readonly warnings: readonly string[];
}

/**
 * What a project's config sets. Names that are no setting are left out with a warning: whoever wrote
 * the file may have a newer version, or mean no good, and neither may stop every start in the folder.
 * Throws invalid_input for invalid values of a trusted file.
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

interface Known {
  readonly content: unknown;
  /** One for each name that was left out. */
  readonly warnings: readonly string[];
}

/** The file's object without unknown names at any depth and, of an untrusted file, without invalid values. */
function withoutUnknown({ path, content }: ConfigFile, options: Options): Known {
  const parsed = isPlainObject(content) ? settingsSchema.safeParse(content) : undefined;
  if (parsed === undefined || parsed.success) return { content, warnings: [] };
  const { definitions, isTrusted } = options;
  const warnings: string[] = [];
  const left = structuredClone(content);
  for (const issue of parsed.error.issues) {
    const at = issue.path.map(String).join(".");
    const setting = definitions.find(({ key }) => at === key || at.startsWith(`${key}.`));
    if (issue.code !== "unrecognized_keys") {
      // A bad value of a repository that nobody trusts must not stop every start in it.
      if (isTrusted) continue;
      remove(left, placeOf(setting?.key ?? at));
      const message = issue.message.replace(/\.$/, "");
      warnings.push(`${path}: "${at}" is not valid: ${message}. The setting is ignored.`);
      continue;
    }
    if (setting !== undefined && isTrusted) continue;
    const known = knownNames(at, definitions);
    for (const name of issue.keys) {
      const full = at === "" ? name : `${at}.${name}`;
      remove(left, setting === undefined ? { parent: at, name } : placeOf(setting.key));
      warnings.push(`${path}: "${full}" ${unknownName(name, known)} Ignored.`);
    }
  }
  return { content: left, warnings };
}

interface NamedPlace {
  readonly parent: string;
  readonly name: string;
}

function placeOf(key: string): NamedPlace {
  const dot = key.lastIndexOf(".");
  return { parent: key.slice(0, Math.max(dot, 0)), name: key.slice(dot + 1) };
}

function remove(content: unknown, { parent, name }: NamedPlace): void {
  const holder = parent === "" ? content : valueAt(content, parent);
  if (isPlainObject(holder)) delete holder[name];
}
