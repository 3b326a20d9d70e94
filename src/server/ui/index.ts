export {
  type AgentGateway,
  type AgentGatewayOptions,
  openAgentGateway,
  startUiServer,
  type UiServer,
} from "./agent-gateway.ts";
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
