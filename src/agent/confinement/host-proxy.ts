import { randomBytes, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../../shared/errors.ts";
import { isThisMachine } from "../sandbox/is-this-machine.ts";

export interface HostProxyOptions {
  /** Whether a host, as the client names it, may be reached. */
  readonly allows: (host: string, port: number) => boolean;
  /** Told of every host that was asked for. */
  readonly onHost: (host: string, isAllowed: boolean) => void;
}

export interface HostProxy {
  readonly port: number;
  /** `name:password` of its clients: other programs of this machine are none. */
  readonly login: string;
  close(): Promise<void>;
}

/** Of a hop alone. */
const HOP_HEADERS = ["proxy-authorization", "proxy-connection", "connection", "keep-alive"];

/**
 * Carries what commands ask of other hosts: whole connections by CONNECT, and plain HTTP. A name is
 * looked up once, and what leads to this machine is refused whatever allows it.
 */
export async function startHostProxy(options: HostProxyOptions): Promise<HostProxy> {
  const login = `cairn:${randomBytes(16).toString("hex")}`;
  const server = createServer((asked, answer) => {
    void forward(asked, options, login).then(
      (upstream) => {
        answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(answer);
        upstream.once("error", () => answer.destroy());
      },
      (error: unknown) => {
        const status = error instanceof Refused ? error.status : 502;
        answer.writeHead(status, { "content-type": "text/plain", ...askLogin(status) });
        answer.end(`${messageOf(error)}\n`);
      },
    );
  });
  server.on("connect", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    void tunnel(asked, options, login).then(
      (upstream) => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
        upstream.once("close", () => client.destroy());
        client.once("close", () => upstream.destroy());
      },
      (error: unknown) => {
        const status = error instanceof Refused ? error.status : 502;
        const further = status === 407 ? 'Proxy-Authenticate: Basic realm="cairn"\r\n' : "";
        client.end(
          `HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : "Refused"}\r\n${further}Content-Length: 0\r\n\r\n`,
        );
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { port: (server.address() as AddressInfo).port, login, close: () => closeServer(server) };
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function askLogin(status: number): Record<string, string> {
  return status === 407 ? { "proxy-authenticate": 'Basic realm="cairn"' } : {};
}

async function tunnel(
  { url = "", headers }: IncomingMessage,
  options: HostProxyOptions,
  login: string,
): Promise<Socket> {
  const [, host = "", port = ""] = /^\[?([^\]]+?)\]?:([0-9]{1,5})$/.exec(url) ?? [];
  const address = await judge({ host, port: Number(port), headers }, options, login);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: Number(port) });
    socket.once("connect", () => resolve(socket));
    socket.on("error", (error) => {
      reject(error);
      socket.destroy();
    });
  });
}

async function forward(
  asked: IncomingMessage,
  options: HostProxyOptions,
  login: string,
): Promise<IncomingMessage> {
  const target = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : undefined;
  if (target?.protocol !== "http:") throw new Refused(400, "This proxy takes http addresses.");
  const port = Number(target.port === "" ? 80 : target.port);
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const address = await judge({ host, port, headers: asked.headers }, options, login);
  const headers = Object.fromEntries(
    Object.entries(asked.headers).filter(([name]) => !HOP_HEADERS.includes(name)),
  );
  return new Promise((resolve, reject) => {
    const upstream = request(
      {
        ...{
          host: address,
          port,
          method: asked.method,
          path: `${target.pathname}${target.search}`,
        },
        headers: { ...headers, host: target.host },
        agent: false,
      },
      resolve,
    );
    upstream.once("error", reject);
    asked.pipe(upstream);
  });
}

interface AskedHost {
  readonly host: string;
  readonly port: number;
  readonly headers: IncomingHttpHeaders;
}

/** The address to connect to. */
async function judge(
  { host, port, headers }: AskedHost,
  { allows, onHost }: HostProxyOptions,
  login: string,
): Promise<string> {
  if (!isLogin(headers["proxy-authorization"], login)) {
    throw new Refused(407, "This proxy is for commands of cairn's alone.");
  }
  const isAllowed = host !== "" && !isThisMachine(host) && allows(host, port);
  const address = isAllowed ? (await lookup(host)).address : undefined;
  const leadsHere = address !== undefined && isThisMachine(address);
  onHost(`${host}:${port}`, isAllowed && !leadsHere);
  if (address === undefined) throw new Refused(403, `${host} is not allowed in the sandbox.`);
  if (leadsHere) throw new Refused(403, `${host} leads to this machine.`);
  return address;
}

function isLogin(header: string | undefined, login: string): boolean {
  const given = Buffer.from(/^Basic (.+)$/i.exec(header ?? "")?.[1] ?? "", "base64");
  const wanted = Buffer.from(login);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
