import type { AgentEvent } from "../../agent/index.ts";
import type { ServerMessage } from "./server-messages.ts";

export function encodeMessage(message: ServerMessage): string {
  return JSON.stringify(message);
}

export function encodeEvent({ type, ...payload }: AgentEvent): string {
  return encodeMessage({ type, payload } as ServerMessage);
}
