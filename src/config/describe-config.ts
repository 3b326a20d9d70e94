import type { LoadedConfig } from "./load-config.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import type { SettingSource } from "./setting-layer.ts";
import { valueAt } from "./value-at.ts";

export interface DescribedSetting {
  readonly key: string;
  /** undefined when it is not set; a secret is never shown. */
  readonly value: unknown;
  readonly source: SettingSource;
  readonly variable: string;
  readonly flag: string;
  readonly description: string;
}

/** Every setting with its value in force and where that came from, fit to be shown. */
export function describeConfig(config: LoadedConfig): readonly DescribedSetting[] {
  return settingDefinitions().map(({ key, variable, flag, description, secret }) => {
    const value = valueAt(config.settings, key);
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
