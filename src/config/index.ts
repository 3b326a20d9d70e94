export { type ChosenDatabase, OWN_DATABASE } from "./choose-database.ts";
export { describeConfig } from "./describe-config.ts";
export { databaseNameFor } from "./git-database.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export { configPaths } from "./paths.ts";
export { saveUserSettings } from "./save-user-settings.ts";
export { secretVariables } from "./setting-definitions.ts";
export { declineProject, type TrustStatus, trustProject, trustStatus } from "./workspace-trust.ts";
