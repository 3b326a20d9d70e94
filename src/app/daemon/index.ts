export type { DaemonRequest, DaemonStatus, OutputPart, StreamState } from "./asker.ts";
export { Asker, askModel } from "./asker.ts";
export { daemonFolder, forgetStart, noteOff } from "./daemon-place.ts";
export { type DaemonAnswer, DaemonServer } from "./daemon-server.ts";
export { tellDaemon } from "./tell-daemon.ts";
