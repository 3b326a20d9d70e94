export { askModel } from "./ask-model.ts";
export { Asker } from "./asker.ts";
export { daemonFolder } from "./daemon-place.ts";
export { type DaemonAnswer, DaemonServer } from "./daemon-server.ts";
export type { DaemonRequest, DaemonStatus, OutputPart, StreamState } from "./protocol.ts";
export { forgetStart, noteOff } from "./start-daemon.ts";
export { tellDaemon } from "./tell-daemon.ts";
