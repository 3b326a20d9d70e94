export type { ModelMessage } from "ai";
export { createModelClient } from "./model-client.ts";
export type {
  ModelAnswer,
  ModelClient,
  RequestedToolCall,
  ToolDefinition,
} from "./model-port.ts";
export { ContextOverflow } from "./provider-error.ts";
export type { LlmSettings } from "./settings.ts";
export { llmSettings } from "./settings.ts";
export { freshCallId, isStorableCallId, storedToolName } from "./stored-call.ts";
