import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Proxies one address to several servers in turn: keeps connections alive, tries the next server
 * if one refuses, and responds 502 to broken connections, whose outcome is unknown. An MCP session
 * stays on its server. Closed after the test.
 */
export class RoundRobinProxy {
  /** Base URLs of the servers; may change at any time. */
  readonly servers: string[];
  broken = 0;
  readonly #agent = new Agent({ keepAlive: true, scheduling: "fifo" });
  readonly #server = createServer((asked, answer) => void this.#pass(asked, answer));
  readonly #sessions = new Map<string, string>();
  #turn = 0;

  private constructor(servers: readonly string[]) {
    this.servers = [...servers];
    onTestFinished(() => {
      this.#agent.destroy();
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  static async start(servers: readonly string[]): Promise<RoundRobinProxy> {
    const proxy = new RoundRobinProxy(servers);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    this.#turn += 1;
    const first = this.#firstFor(asked.headers["mcp-session-id"]);
    for (let tried = 0; tried < this.servers.length; tried += 1) {
      const server = this.servers[(first + tried) % this.servers.length] ?? "";
      if (await this.#ask(server, { asked, body, answer })) return;
    }
    this.#refuse(answer);
  }

  #firstFor(session: string | string[] | undefined): number {
    const known = this.servers.indexOf(this.#sessions.get(String(session)) ?? "");
    return known === -1 ? this.#turn : known;
  }

  /** Resolves to false if the server refused the connection. */
  #ask(
    server: string,
    { asked, body, answer }: { asked: IncomingMessage; body: Buffer; answer: ServerResponse },
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const { method = "GET", url: path = "/" } = asked;
      const { connection: _hop, ...headers } = asked.headers;
      const passed = request(server + path, { agent: this.#agent, method, headers }, (reply) => {
        const { connection: _own, "keep-alive": _also, ...others } = reply.headers;
        const session = reply.headers["mcp-session-id"];
        if (session !== undefined) this.#sessions.set(String(session), server);
        answer.writeHead(reply.statusCode ?? 502, others);
        reply.pipe(answer);
        reply.once("error", () => answer.destroy());
        resolve(true);
      });
      answer.once("close", () => passed.destroy());
      passed.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") return resolve(false);
        if (!answer.destroyed) this.#refuse(answer);
        resolve(true);
      });
      passed.end(body);
    });
  }

  #refuse(answer: ServerResponse): void {
    this.broken += 1;
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  }
}
