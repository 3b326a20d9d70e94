export { MEMORY_FOLDER } from "./memory-folder.ts";
export { checkFolder, type Synced, type SyncOptions, syncRepository } from "./sync-repository.ts";
