export { type DescribedSetting, describeConfig } from "./describe-config.ts";
export { type LoadedConfig, type LoadOptions, loadConfig } from "./load-config.ts";
export { type ConfigPaths, configPaths, type Place } from "./paths.ts";
export { saveUserSettings } from "./save-user-settings.ts";
export { type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";
export type { SettingOrigin, SettingSource } from "./setting-layer.ts";
export type { Settings } from "./settings.ts";
export { type TrustStatus, trustProject, trustStatus } from "./workspace-trust.ts";
