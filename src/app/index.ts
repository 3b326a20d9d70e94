export { type App, type AppOptions, assembleApp } from "./assemble-app.ts";
export { createApp } from "./create-app.ts";
export { doQueuedWork, queueOf } from "./do-queued-work.ts";
export { readProjects } from "./note-project.ts";
export { type AgentOptions, type OpenAgent, openAgent } from "./open-agent.ts";
export { type ServeAcpOptions, serveAcp } from "./serve-acp.ts";
export { serveAgent } from "./serve-agent.ts";
export { serveMcp } from "./serve-mcp.ts";
export { serveMemory } from "./serve-memory.ts";
