import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * TCP proxy to a loopback server that can delay, silence or break connections. The delay applies
 * to server responses, so it equals a round trip.
 */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  #upstreamPort: number;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  #delayMs: number;
  #isSilent = false;
  #turns = 0;
  #isCut = false;

  static async start(upstreamPort: number, { delayMs = 0 } = {}): Promise<TcpProxy> {
    const proxy = new TcpProxy(upstreamPort, delayMs);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  private constructor(upstreamPort: number, delayMs: number) {
    this.#upstreamPort = upstreamPort;
    this.#delayMs = delayMs;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#join(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Number of round trips: client messages that follow a server message. Messages within half a
   * delay count as one, because pipelined responses arrive in pieces.
   */
  get turns(): number {
    return this.#turns;
  }

  urlOf(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  /** Sets the delay of server responses. Nothing may be in flight. */
  setDelay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Holds back data in both directions until `mend` delivers it. */
  silence(): void {
    this.#isSilent = true;
  }

  routeTo(port: number): void {
    this.#upstreamPort = port;
  }

  /** Resets all connections and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    this.#held.length = 0;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  mend(): void {
    this.#isCut = false;
    this.#isSilent = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    if (this.#isCut) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: "127.0.0.1", port: this.#upstreamPort, allowHalfOpen: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.on("close", (isBroken) => {
        this.#sockets.delete(socket);
        if (isBroken) other.resetAndDestroy();
      });
    }
    const heard = { server: true, turnAt: Number.NEGATIVE_INFINITY };
    client.on("data", () => {
      const now = performance.now();
      if (heard.server && now - heard.turnAt >= this.#delayMs / 2) {
        this.#turns += 1;
        heard.turnAt = now;
      }
      heard.server = false;
    });
    this.#carry(client, upstream, { delay: () => 0 });
    this.#carry(upstream, client, {
      delay: () => this.#delayMs,
      onDelivery: () => {
        heard.server = true;
      },
    });
  }

  #carry(
    from: Socket,
    to: Socket,
    { delay, onDelivery }: { delay: () => number; onDelivery?: () => void },
  ): void {
    const send = (deliver: () => void) => {
      const arrive = () => {
        if (this.#isSilent) this.#held.push(deliver);
        else if (!to.destroyed) deliver();
      };
      const delayMs = delay();
      if (delayMs === 0) arrive();
      else setTimeout(arrive, delayMs);
    };
    from.on("data", (chunk: Buffer) =>
      send(() => {
        onDelivery?.();
        to.write(chunk);
      }),
    );
    from.on("end", () => send(() => to.end()));
  }
}
