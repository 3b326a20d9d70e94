export {
  type Client,
  type ConfigPart,
  type DocumentFormat,
  HOOK_EVENTS,
  type HookEvent,
  type OwnedValue,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "./client.ts";
export { findPlaces, type Places } from "./places.ts";
export { clients, requireClient } from "./registry.ts";
