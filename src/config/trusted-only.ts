import type { Reader } from "./reader.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import type { SettingLayer } from "./setting-layer.ts";

export interface TrustQuestion {
  /** The user's own settings. */
  readonly user?: SettingLayer;
  readonly reader: Reader;
}

/** Keys of the layer that count only in a trusted project. */
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

/** True if the setting, or some values of it, count only in a trusted project. */
export function needsTrust(key: string): boolean {
  return trustRules().get(key) !== "anyone";
}

function trustRules() {
  return new Map(settingDefinitions().map(({ key, trust }) => [key, trust]));
}
