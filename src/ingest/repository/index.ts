export { MEMORY_FOLDER } from "./memory-folder.ts";
export {
  checkFolder,
  type SyncOptions,
  type SyncResult,
  syncRepository,
} from "./sync-repository.ts";
