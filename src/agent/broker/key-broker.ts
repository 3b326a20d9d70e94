import { randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../kernel/errors.ts";
import { gitLogin } from "./git-login.ts";
import { type GitRemote, gitRemotes, plainPath } from "./git-remotes.ts";
import { type NpmRegistry, npmRegistry, PUBLIC_REGISTRY } from "./npm-login.ts";

export interface KeyBrokerOptions {
  readonly projectRoot: string;
  /** In which the person's git is asked; without keys of model services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Before each use of a key: rejects where it cannot be noted, and then it is not used. */
  readonly onUse: (use: string) => Promise<void>;
}

/** What one command may do by the broker, as long as it runs. */
interface Grant {
  /** It sends to others, which a person or a rule allowed. */
  readonly publishes: boolean;
}

export interface Lent {
  /** Shell text that goes before the command. */
  readonly before: string;
  /** The command has ended: nothing more is lent to it. */
  end(): void;
}

/** Of git's protocol over http. */
const OF_GIT = /^(.+?)\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const DROPPED = ["authorization", "cookie", "host", "connection", "proxy-authorization"];
const DROPPED_OF_ANSWER = ["www-authenticate", "set-cookie", "connection", "transfer-encoding"];

/**
 * Logs in for commands in the sandbox, which never see with what: they reach it at an address of this
 * machine, good for one command, and it asks the project's remotes and the person's registry with the
 * person's keys. Which remotes there are was read before the agent did anything.
 */
export class KeyBroker {
  readonly #options: KeyBrokerOptions;
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #remotes: readonly GitRemote[];
  readonly #registry: NpmRegistry | undefined;
  /** Every remote is reached by it: git needs no key. */
  readonly coversGit: boolean;

  private constructor(
    options: KeyBrokerOptions,
    found: Awaited<ReturnType<typeof gitRemotes>>,
    registry: NpmRegistry | undefined,
  ) {
    this.#options = options;
    this.#remotes = found.remotes;
    this.#registry = registry;
    this.coversGit = found.remotes.length > 0 && !found.hasOthers;
    this.#server = createServer((asked, answer) => {
      void this.#serve(asked).then(
        (upstream) => {
          const kept = Object.entries(upstream.headers).filter(
            ([name]) => !DROPPED_OF_ANSWER.includes(name),
          );
          answer.writeHead(upstream.statusCode ?? 502, Object.fromEntries(kept));
          upstream.pipe(answer);
          upstream.once("error", () => answer.destroy());
        },
        (error: unknown) => {
          answer.writeHead(403, { "content-type": "text/plain" });
          answer.end(`${messageOf(error)}\n`);
        },
      );
    });
  }

  /** Undefined where there is nothing to log in to. */
  static async open(options: KeyBrokerOptions): Promise<KeyBroker | undefined> {
    const [found, registry] = await Promise.all([gitRemotes(options.projectRoot), npmRegistry()]);
    if (found.remotes.length === 0 && registry === undefined) return undefined;
    const broker = new KeyBroker(options, found, registry);
    await new Promise<void>((resolve) => broker.#server.listen(0, "127.0.0.1", resolve));
    broker.#server.unref();
    return broker;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For a command that was allowed to reach the network; undefined: it is none that logs in. */
  lend(command: string): Lent | undefined {
    const program = /^\s*(git|npm|pnpm)\s/.exec(command)?.[1];
    const publishes = /\b(push|publish)\b/.test(command);
    const isGit = program === "git" && this.#remotes.length > 0;
    // Of the public registry everybody reads; by another address lock files would be written otherwise.
    const isNpm =
      (program === "npm" || program === "pnpm") &&
      this.#registry !== undefined &&
      (publishes || this.#registry.url !== PUBLIC_REGISTRY);
    if (!isGit && !isNpm) return undefined;
    const token = randomBytes(24).toString("hex");
    this.#grants.set(token, { publishes });
    const address = `http://localhost:${this.port}/${token}`;
    const set = isGit ? this.#gitSettings(address) : npmSettings(address);
    const words = Object.entries(set).map(([name, value]) => `${name}='${value}'`);
    return { before: `export ${words.join(" ")}; `, end: () => void this.#grants.delete(token) };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #gitSettings(address: string): Readonly<Record<string, string>> {
    const origins = [...new Set(this.#remotes.map(({ origin }) => origin))];
    const settings = [
      ...origins.map((origin) => [
        `url.${address}/git/${encodeURIComponent(origin)}/.insteadOf`,
        `${origin}/`,
      ]),
      ["credential.helper", ""],
    ];
    const numbered = settings.flatMap(([key = "", value = ""], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]);
    return { GIT_CONFIG_COUNT: `${settings.length}`, ...Object.fromEntries(numbered) };
  }

  async #serve(asked: IncomingMessage): Promise<IncomingMessage> {
    const { pathname, search } = new URL(asked.url ?? "", "http://localhost");
    const [, token = "", kind, rest = ""] =
      /^\/([0-9a-f]{48})\/(git|npm)\/(.*)$/.exec(pathname) ?? [];
    const grant = this.#grants.get(token);
    if (grant === undefined) throw new Error("This address was for a command that has ended.");
    const { url, authorization, use } =
      kind === "git"
        ? await this.#gitTarget(rest, search, grant)
        : this.#npmTarget(rest, search, { grant, method: asked.method ?? "GET" });
    if (authorization !== undefined) await this.#options.onUse(use);
    const upstream = await forward(asked, url, authorization);
    // It would be asked there with the same key.
    const status = upstream.statusCode ?? 0;
    if (status >= 300 && status < 400 && status !== 304)
      throw new Error(`${url.host} leads elsewhere.`);
    return upstream;
  }

  async #gitTarget(rest: string, search: string, { publishes }: Grant) {
    const [encoded = "", ...parts] = rest.split("/");
    const origin = decodeURIComponent(encoded);
    const [, repository = "", service = ""] = OF_GIT.exec(`/${parts.join("/")}`) ?? [];
    const remote = this.#remotes.find(
      (one) => one.origin === origin && one.path === plainPath(repository),
    );
    if (remote === undefined) throw new Error("It is no remote of this project.");
    const sends = `${service}${search}`.includes("git-receive-pack");
    if (sends && !publishes) throw new Error("This command was not allowed to push.");
    const authorization = await gitLogin(origin, repository, this.#options.environment);
    const use = `git ${sends ? "push to" : "fetch from"} ${origin}${repository}`;
    return { url: new URL(`${origin}${repository}/${service}${search}`), authorization, use };
  }

  #npmTarget(
    rest: string,
    search: string,
    { grant, method }: { readonly grant: Grant; readonly method: string },
  ) {
    const registry = this.#registry;
    if (registry === undefined) throw new Error("No registry of yours has a token.");
    const reads = method === "GET" || method === "HEAD" || rest.startsWith("-/npm/v1/security/");
    if (!reads && !grant.publishes) throw new Error("This command was not allowed to publish.");
    // npm puts the registry's own path behind the address that it was given.
    const own = new URL(registry.url).pathname.slice(1);
    const path = own !== "" && rest.startsWith(own) ? rest.slice(own.length) : rest;
    const url = new URL(`${path}${search}`, registry.url);
    if (!url.href.startsWith(registry.url)) throw new Error("It is not of your registry.");
    return { url, authorization: registry.authorization, use: `npm ${method} ${url.href}` };
  }
}

function npmSettings(address: string): Readonly<Record<string, string>> {
  return { npm_config_registry: `${address}/npm/`, npm_config_replace_registry_host: "always" };
}

function forward(
  asked: IncomingMessage,
  url: URL,
  authorization: string | undefined,
): Promise<IncomingMessage> {
  const kept = Object.entries(asked.headers).filter(([name]) => !DROPPED.includes(name));
  const headers = {
    ...Object.fromEntries(kept),
    host: url.host,
    ...(authorization !== undefined && { authorization }),
  };
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const upstream = send(url, { method: asked.method, headers, agent: false }, resolve);
    upstream.once("error", reject);
    asked.pipe(upstream);
  });
}
