export { runTerminal } from "./run-terminal.ts";
export type { Connect, ConnectEvents, Connection } from "./session/connection.ts";
export { createSetup, type SetupPort } from "./setup/set-up.ts";
export type { OutputFormat, TerminalOptions } from "./terminal-options.ts";
