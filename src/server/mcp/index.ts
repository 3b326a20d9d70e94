export { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
export { addMcpRoute, type McpRoute, type McpRouteOptions } from "./http/mcp-route.ts";
export type { SessionLimits } from "./http/sessions.ts";
export { createInstructions } from "./instructions.ts";
export { mcpPrompts } from "./prompts/registry.ts";
export type { McpCall } from "./record-call.ts";
export { listResources, listResourceTemplates } from "./resources.ts";
export { type StdioOptions, serveStdio } from "./serve-stdio.ts";
export {
  createExposedTools,
  type ExposedTool,
  type McpInterface,
  type McpToolSet,
  type ToolChoice,
} from "./tools/exposed-tools.ts";
