export { type AgentDoor, type AgentDoorOptions, openAgentDoor } from "./agent-door.ts";
export {
  type ClientMessageDefinition,
  type ClientMessageToSend,
  clientMessages,
} from "./client-messages.ts";
export {
  PROTOCOL_VERSION,
  type ServerMessage,
  type ServerMessageDefinition,
  STATUS_PHASES,
  serverMessages,
} from "./server-messages.ts";
export { startUiServer, type UiServer } from "./start-ui-server.ts";
