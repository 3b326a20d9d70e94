export {
  type Client,
  type ClientLocations,
  type ConfigPart,
  type DocumentFormat,
  findLocations,
  HOOK_EVENTS,
  type HookEvent,
  type OwnedValue,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "./client.ts";
export { clients, requireClient } from "./registry.ts";
