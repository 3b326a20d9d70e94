import { type McpServer, RequestError } from "@agentclientprotocol/sdk/unstable";

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface ServerAtAddress {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly headers: readonly Pair[];
}

export function clientServers(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(
    servers.map((server) => {
      const name = server.name.replace(/[^\w.-]/g, "_").slice(0, 40) || "server";
      if ("command" in server) {
        const { command, args, env } = server;
        return [name, { command, args, env: pairs(env) }];
      }
      if (!hasAddress(server)) {
        throw RequestError.invalidParams(undefined, `mcpServers: "${name}" has no address.`);
      }
      return [name, { type: server.type, url: server.url, headers: pairs(server.headers) }];
    }),
  );
}

function hasAddress(server: object): server is ServerAtAddress {
  return "url" in server;
}

function pairs(list: readonly Pair[]) {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
