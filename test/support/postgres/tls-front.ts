import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Certified } from "../certificates.ts";

/** Code of PostgreSQL's SSLRequest message, whose length is 8. */
const TLS_REQUEST = 80_877_103;

/**
 * TLS proxy for a server built without TLS. Implements PostgreSQL's SSLRequest and rejects
 * unencrypted clients. Without a certificate it replies that TLS is not supported.
 */
export class TlsFront implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async start(upstreamPort: number, certified?: Certified): Promise<TlsFront> {
    const front = new TlsFront(upstreamPort, certified);
    front.#server.listen(0, "127.0.0.1");
    await once(front.#server, "listening");
    return front;
  }

  private constructor(upstreamPort: number, certified: Certified | undefined) {
    this.#server = createServer((client) => {
      this.#keep(client);
      client.once("data", (request) => {
        if (request.length !== 8 || request.readInt32BE(4) !== TLS_REQUEST) client.destroy();
        else if (certified === undefined) client.end("N");
        else {
          client.write("S");
          this.#carry(new TLSSocket(client, { isServer: true, ...certified }), upstreamPort);
        }
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #carry(client: TLSSocket, upstreamPort: number): void {
    const upstream = this.#keep(connect({ host: "127.0.0.1", port: upstreamPort }));
    client.on("error", () => upstream.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.pipe(upstream).pipe(client);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }
}
