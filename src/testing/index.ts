export {
  type ChatMessage,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedResponder,
  type ScriptedToolCall,
  startScriptedModel,
} from "./scripted-model.ts";
export { type TemporaryMemory, temporaryMemory } from "./temporary-memory.ts";
export { TestClock } from "./test-clock.ts";
