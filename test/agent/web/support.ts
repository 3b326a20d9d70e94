import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebAccess } from "../../../src/agent/web/request-page.ts";

export interface TestSite {
  readonly origin: string;
  readonly port: number;
  readonly requests: string[];
  /** Resolves and allows hosts below `.test`. */
  readonly web: WebAccess;
  readonly lookups: string[];
  close(): Promise<void>;
}

export async function openSite(listener: RequestListener): Promise<TestSite> {
  const requests: string[] = [];
  const lookups: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://docs.test:${port}`,
    port,
    requests,
    lookups,
    web: {
      resolve: async (host) => {
        lookups.push(host);
        if (!host.endsWith(".test")) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
        return [{ address: "127.0.0.1", family: 4 }];
      },
      mayReach: (address) => address === "127.0.0.1",
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
