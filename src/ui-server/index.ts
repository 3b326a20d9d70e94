export { type ClientMessageDefinition, clientMessages } from "./client-messages.ts";
export {
  PROTOCOL_VERSION,
  type ServerMessageDefinition,
  STATUS_PHASES,
  serverMessages,
} from "./server-messages.ts";
export { startUiServer, type UiServer } from "./start-ui-server.ts";
