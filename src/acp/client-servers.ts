import type { McpServer } from "@agentclientprotocol/sdk";

/** The MCP servers that an editor names, in the shape of the setting `mcpServers`. */
export function clientServers(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(
    servers.map((server) => {
      const name = server.name.replace(/[^\w.-]/g, "_").slice(0, 40) || "server";
      if ("command" in server) {
        const { command, args, env } = server;
        return [name, { command, args, env: pairs(env) }];
      }
      return [name, { type: server.type, url: server.url, headers: pairs(server.headers) }];
    }),
  );
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]) {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
