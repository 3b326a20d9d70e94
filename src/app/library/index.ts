export {
  type OpenMemory,
  type OpenMemoryOptions,
  type OperationCalls,
  openMemory,
} from "./open-memory.ts";
