import { type McpServer, RequestError } from "@agentclientprotocol/sdk/unstable";

/** The MCP servers that an editor names, in the shape of the setting `mcpServers`. */
export function clientServers(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(
    servers.map((server) => {
      const name = server.name.replace(/[^\w.-]/g, "_").slice(0, 40) || "server";
      if ("command" in server) {
        const { command, args, env } = server;
        // Its tools would be asked for over this connection, which is not offered.
        if (!hasAddress(server)) {
          throw RequestError.invalidParams(undefined, `mcpServers: "${name}" has no address.`);
        }
        return [name, { command, args, env: pairs(env) }];
      }
      return [name, { type: server.type, url: server.url, headers: pairs(server.headers) }];
    }),
  );
}

function hasAddress(server: McpServer): server is Extract<McpServer, { readonly url: string }> {
  return "url" in server;
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]) {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
