export {
  type Client,
  type ConfigPart,
  type DocumentFormat,
  findPlaces,
  HOOK_EVENTS,
  type HookEvent,
  type OwnedValue,
  type Places,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "./client.ts";
export { clients, requireClient } from "./registry.ts";
