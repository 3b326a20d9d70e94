export { AppCache } from "./app-cache.ts";
export {
  type App,
  type AppOptions,
  assembleApp,
  createApp,
  type StorageSearch,
  type StoredCopy,
  searchAllStorage,
} from "./assemble-app.ts";
export { createLearnMakers } from "./learn-queued.ts";
export { readProjects } from "./note-project.ts";
export {
  type AgentHosts,
  type AgentOptions,
  type OpenAgent,
  openAgent,
  openAgentHosts,
} from "./open-agent.ts";
export { openQueue, queueProject, runQueuedWork } from "./run-queued-work.ts";
export { type RecordedAgent, readRecordedAgents } from "./running-agents.ts";
export { type ServeAcpOptions, serveAcp } from "./serve-acp.ts";
export { serveAgent } from "./serve-agent.ts";
export { serveMcp } from "./serve-mcp.ts";
export { serveMemory } from "./serve-memory.ts";
