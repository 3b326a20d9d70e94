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
} from "./cairn-command.ts";
export { checkServer } from "./check-server.ts";
export { type Connection, configParts } from "./config-parts.ts";
export { keepProgram, type ProgramOptions, stableRoot } from "./copy-program.ts";
export { findInstalled } from "./find-installed.ts";
export { type FileChange, partState, planChanges, readServerEntry } from "./plan-changes.ts";
export { writeChanges } from "./write-changes.ts";
