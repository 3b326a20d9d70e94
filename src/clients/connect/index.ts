export {
  inheritedVariables,
  locationFlags,
  type MemoryLocation,
  ownCommand,
  removePassword,
  SHARED_HOOK_COMMAND,
  serverCommand,
  sharedCommand,
  shellLine,
} from "./cairn-command.ts";
export { checkServer } from "./check-server.ts";
export { type Connection, configParts } from "./config-parts.ts";
export { copyProgramIfTemporary, type ProgramOptions, stableRoot } from "./copy-program.ts";
export { findInstalled } from "./find-installed.ts";
export { type FileChange, partState, planChanges, readServerEntry } from "./plan-changes.ts";
export { writeChanges } from "./write-changes.ts";
