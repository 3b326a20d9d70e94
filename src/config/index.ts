export { type ChosenDatabase, DEFAULT_DATABASE } from "./choose-database.ts";
export { readSmall } from "./git-folder.ts";
export {
  type Adoptable,
  createDatabaseName,
  findAdoptable,
  findSurelyAdoptable,
  gitDatabase,
  storeRepository,
} from "./git-ids.ts";
export { describeConfig, type LoadedConfig, loadConfig } from "./load-config.ts";
export { configPaths } from "./paths.ts";
export type { Reader } from "./reader.ts";
export { saveUserSettings } from "./save-user-settings.ts";
export { secretVariables } from "./setting-definitions.ts";
export { declineProject, type TrustStatus, trustProject, trustStatus } from "./workspace-trust.ts";
