export { AppCache } from "./app-cache.ts";
export {
  type App,
  type AppOptions,
  assembleApp,
  createApp,
  type KeptText,
  type LookedEverywhere,
  searchAllStorage,
} from "./assemble-app.ts";
export { doQueuedWork, openQueue as getQueue, queueProject } from "./do-queued-work.ts";
export { learnMakers } from "./learn-with.ts";
export { readProjects } from "./note-project.ts";
export {
  type AgentHosts,
  type AgentOptions,
  type OpenAgent,
  openAgent,
  openAgentHosts,
} from "./open-agent.ts";
export { type NotedAgent, readNotedAgents } from "./running-agents.ts";
export { type ServeAcpOptions, serveAcp } from "./serve-acp.ts";
export { serveAgent } from "./serve-agent.ts";
export { serveMcp } from "./serve-mcp.ts";
export { serveMemory } from "./serve-memory.ts";
