export type { DaemonRequest, DaemonStatus, OutputPart, StreamState } from "./asker.ts";
export { askModel, DaemonClient } from "./asker.ts";
export { daemonFolder, forgetStart, noteOff } from "./daemon-place.ts";
export { type DaemonAnswer, DaemonServer } from "./daemon-server.ts";
export { controlDaemon } from "./tell-daemon.ts";
