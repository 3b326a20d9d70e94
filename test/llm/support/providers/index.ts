export { type BedrockRules, startStrictBedrock } from "./strict-bedrock.ts";
export { type ChatRules, startStrictChat } from "./strict-chat.ts";
export { type GeminiRules, startStrictGemini } from "./strict-gemini.ts";
export { type MessagesRules, startStrictMessages } from "./strict-messages.ts";
export { type OllamaRules, startStrictOllama } from "./strict-ollama.ts";
export { type ResponsesRules, startStrictResponses } from "./strict-responses.ts";
export type { SeenRequest, StrictService } from "./strict-service.ts";
