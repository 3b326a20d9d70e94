export type { ModelMessage } from "ai";
export { EFFORTS, type Effort } from "./effort.ts";
export { hasKey } from "./has-key.ts";
export { removeImages } from "./images.ts";
export { keyFromCommand } from "./key-from-command.ts";
export { logInByBrowser } from "./logins/browser-login.ts";
export { forgetKey, STORED_KEYS_FILE, StoredKeys, storeKey } from "./logins/store-key.ts";
export { createModelClient } from "./model-client.ts";
export type {
  FailedAttempt,
  ModelAnswer,
  ModelClient,
  RequestedToolCall,
  ToolDefinition,
} from "./model-port.ts";
export { listModels } from "./model-port.ts";
export { outgoingFetch } from "./outgoing-fetch.ts";
export { type CountedTokens, computeCost } from "./price.ts";
export type { Price } from "./profiles/find-model.ts";
export type { Service } from "./profiles/service.ts";
export { SERVICES } from "./profiles/services.ts";
export { ContentRefused, ContextOverflow, describeFailure } from "./provider-error.ts";
export type { LlmSettings } from "./settings.ts";
export { llmSettings } from "./settings.ts";
export { createCallId, isStorableCallId, storedToolName } from "./stored-call.ts";
