export { controlDaemon } from "./control-daemon.ts";
export type { DaemonRequest, DaemonStatus, OutputPart, StreamState } from "./daemon-client.ts";
export { askModel, DaemonClient } from "./daemon-client.ts";
export { daemonFolder, forgetStart, recordOff } from "./daemon-folder.ts";
export { type DaemonAnswer, DaemonServer } from "./daemon-server.ts";
