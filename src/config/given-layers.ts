import type { Environment } from "../shared/environment.ts";
import { invalidInput } from "../shared/errors.ts";
import { didYouMean } from "../shared/nearest.ts";
import { parseField } from "../shared/parse-field.ts";
import type { SettingDefinition } from "./setting-definitions.ts";
import { checkLayer, type LayeredValue, type SettingLayer } from "./setting-layer.ts";

/** What the `CAIRN_*` variables set; an empty one counts as not given. Throws invalid_input. */
export function environmentLayer(
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

/** What was given on the command line. Throws invalid_input. */
export function flagLayer(
  flags: Readonly<Record<string, unknown>>,
  definitions: readonly SettingDefinition[],
): SettingLayer {
  const layer = new Map<string, LayeredValue>();
  for (const [name, given] of Object.entries(flags)) {
    if (given === undefined) continue;
    const definition = definitions.find(({ key }) => key === name || joined(key) === name);
    if (definition === undefined) {
      const known = definitions.map(({ key }) => joined(key));
      throw invalidInput(`"${name}" is not a setting.${didYouMean(name, known)}`);
    }
    const { flag, key } = definition;
    const value = typeof given === "string" ? parseField(definition.kind, given, flag) : given;
    layer.set(key, { value, source: { origin: "flag", name: flag } });
  }
  checkLayer(layer, definitions);
  return layer;
}

/** `embedding.baseUrl` → `embeddingBaseUrl`, as option parsers name `--embedding-base-url`. */
function joined(key: string): string {
  return key.replaceAll(/\.([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
