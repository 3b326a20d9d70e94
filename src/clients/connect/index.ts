export { checkServer } from "./check-server.ts";
export { type Connection, configParts } from "./config-parts.ts";
export { findInstalled } from "./find-installed.ts";
export { keepProgram, type ProgramOptions, stableRoot } from "./keep-program.ts";
export {
  handedOnVariables,
  type MemoryPlace,
  ownCommand,
  placeFlags,
  SHARED_HOOK_COMMAND,
  serverCommand,
  sharedCommand,
  shellLine,
  withoutPassword,
} from "./own-command.ts";
export { type FileChange, partState, planChanges, readServerEntry } from "./plan-changes.ts";
export { writeChanges } from "./write-changes.ts";
