import type { AgentEvent } from "../../agent/index.ts";
import type { ServerMessage } from "./server-messages.ts";

export function encodeMessage(message: ServerMessage): string {
  return JSON.stringify(message);
}

/** An event of a thread as its message: the same fields, below `payload`. */
export function encodeEvent({ type, ...payload }: AgentEvent): string {
  return encodeMessage({ type, payload } as ServerMessage);
}
