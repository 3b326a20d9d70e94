export { type AgentGateway, type AgentGatewayOptions, openAgentGateway } from "./agent-door.ts";
export {
  type ClientMessage,
  type ClientMessageDefinition,
  type ClientMessageToSend,
  type ClientMessageType,
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
