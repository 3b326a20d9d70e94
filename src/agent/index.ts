export type { Choice, Dialogue, ProgressItem } from "./dialogue.ts";
export type { AgentEvent, AgentEventBody, StatusPhase, TokenUsage } from "./events.ts";
export { type OfferedCommand, offeredCommands } from "./slash-commands/offered-commands.ts";
export { createThreadHost, type ThreadHostOptions } from "./threads/create-thread-host.ts";
export type {
  CreateThreadOptions,
  HistoryEntry,
  HostInfo,
  ThreadHost,
  ThreadInfo,
} from "./threads/thread-host.ts";
