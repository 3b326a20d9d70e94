import { randomBytes } from "node:crypto";
import { sleep } from "../../shared/async.ts";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";
import { startLoopbackRedirect } from "../../shared/loopback-redirect.ts";
import { stripControlLine } from "../../shared/text.ts";
import type { McpServerState, McpServerStatus } from "../ports/mcp-servers.ts";
import { connectServer, type ServerConnection, type ServerFeatures } from "./connect-server.ts";
import { LoginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import {
  expandOAuth,
  isConfined,
  isStdio,
  type TransportContext,
  resolveServerUrl as transportAddress,
} from "./open-transport.ts";
import type { McpServerSettings, OAuthSettings } from "./server-settings.ts";

const MAX_ATTEMPTS = 6;
const MAX_RETRY_WAIT_MS = 30_000;
const LOGIN_RETURN_TIMEOUT_MS = 15_000;
const NO_FEATURES: ServerFeatures = { tools: [], prompts: [], resources: [] };

export interface McpServerOptions extends TransportContext {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly version: string;
  /** Delay before the second attempt in milliseconds; doubles with each further one. */
  readonly firstWaitMs: number;
}

export class McpServer {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly #options: McpServerOptions;
  #state: McpServerState;
  #problem: string | undefined;
  readonly #calls = new Set<() => void>();
  #offer: ServerFeatures = NO_FEATURES;
  #connection: ServerConnection | undefined;
  #ending = new AbortController();
  /** Resolves once the server is ready or has failed for good. */
  #settled: Promise<void> = Promise.resolve();
  firstTry: Promise<void> = Promise.resolve();

  constructor(options: McpServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.settings = options.settings;
    this.#state = options.settings.disabled === true ? "disabled" : "connecting";
    if (isCairnItself(options.settings)) this.#state = "builtIn";
  }

  get offer(): ServerFeatures {
    return this.#offer;
  }

  get status(): McpServerStatus {
    const { tools, prompts, resources } = this.#offer;
    return {
      name: this.name,
      state: this.#state,
      origin: this.settings.origin ?? "user",
      where: isStdio(this.settings) ? this.settings.command : findAddress(this.settings.url),
      ...(this.#problem !== undefined && { problem: this.#problem }),
      isConfined: isConfined(this.settings),
      tools: tools.map(({ name }) => name),
      prompts: prompts.map(({ name }) => name),
      resources: resources.map(({ uri }) => uri),
    };
  }

  start(): void {
    if (this.#state === "disabled" || this.#state === "builtIn") return;
    this.#settled = this.#connect();
  }

  /** Logs in with the user's browser, whose URL `show` receives, and connects. */
  async logIn(show: (url: string) => void, signal: AbortSignal): Promise<void> {
    const { settings } = this;
    if (isStdio(settings)) {
      throw invalidInput(`"${this.name}" is a local program and has no login.`);
    }
    await logIn({
      address: transportAddress(settings, this.#options),
      oauth: expandOAuth(settings, this.#options),
      store: this.#options.logins,
      show,
      signal,
    });
    await this.reconnect();
  }

  async reconnect(): Promise<void> {
    await this.close();
    this.#ending = new AbortController();
    this.#state = "connecting";
    this.#settled = this.#connect();
    await this.#settled;
  }

  /** Returns the connection, waiting for one in progress. Throws unavailable. */
  async use(signal: AbortSignal): Promise<ServerConnection> {
    const over = new AbortController();
    const limit = AbortSignal.any([signal, over.signal]);
    const waited = sleep(LOGIN_RETURN_TIMEOUT_MS, limit).catch(() => undefined);
    await Promise.race([this.#settled, waited]).finally(() => over.abort());
    signal.throwIfAborted();
    if (this.#connection !== undefined) return this.#connection;
    const why = this.#problem === undefined ? "" : ` (${this.#problem})`;
    throw new CairnError(
      "unavailable",
      `The MCP server "${this.name}" is ${this.#state}${why}. The user can try it again with /mcp reconnect ${this.name}.`,
    );
  }

  /**
   * Makes one call, which fails as soon as the connection ends. Throws unavailable.
   */
  async call<Answer>(
    signal: AbortSignal,
    work: (connection: ServerConnection, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const connection = await this.use(signal);
    try {
      return await this.#callOver(connection, signal, work);
    } catch (error) {
      signal.throwIfAborted();
      if (!isSessionGone(error)) throw error;
    }
    // The restarted server did not process the call: repeat it in a new session.
    if (this.#connection === connection) this.#onClose(this.#ending.signal, "its session ended", 0);
    return this.#callOver(await this.use(signal), signal, work);
  }

  async #callOver<Answer>(
    connection: ServerConnection,
    signal: AbortSignal,
    work: (connection: ServerConnection, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const over = new AbortController();
    const abandon = () => over.abort();
    this.#calls.add(abandon);
    try {
      // The client never removes its listener, and a run makes many calls.
      return await work(connection, AbortSignal.any([signal, over.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!over.signal.aborted) throw error;
      throw new CairnError(
        "unavailable",
        `The MCP server "${this.name}" failed: ${this.#problem}.`,
      );
    } finally {
      this.#calls.delete(abandon);
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close().catch(() => undefined);
    await this.#settled;
  }

  /** Retries until it works or the attempts are used up. Never rejects. */
  #connect(): Promise<void> {
    const { signal } = this.#ending;
    let triedOnce: () => void = () => undefined;
    this.firstTry = new Promise((resolve) => {
      triedOnce = resolve;
    });
    const attemptConnection = async () => {
      for (let attempt = 1; !signal.aborted; attempt += 1) {
        const isDone = await this.#attempt(signal);
        triedOnce();
        if (isDone || signal.aborted) return;
        this.#state = attempt >= MAX_ATTEMPTS ? "failed" : "waiting";
        if (this.#state === "failed") return;
        const wait = this.#options.firstWaitMs * 2 ** (attempt - 1);
        await sleep(Math.min(MAX_RETRY_WAIT_MS, wait), signal).catch(() => undefined);
        if (!signal.aborted) this.#state = "connecting";
      }
    };
    return attemptConnection().finally(triedOnce);
  }

  async #attempt(signal: AbortSignal): Promise<boolean> {
    try {
      const connection = await connectServer({
        ...this.#options,
        signal,
        onOffer: (offer) => {
          this.#offer = offer;
        },
        onClose: (problem) => this.#onClose(signal, problem),
      });
      if (signal.aborted) {
        await connection.close();
        return true;
      }
      this.#connection = connection;
      this.#offer = connection.offer;
      this.#problem = undefined;
      this.#state = "ready";
      return true;
    } catch (error) {
      this.#problem = messageOf(error);
      return false;
    }
  }

  #onClose(
    signal: AbortSignal,
    problem = "the connection ended",
    waitMs = this.#options.firstWaitMs,
  ): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (signal.aborted || connection === undefined) return;
    this.#problem = problem;
    for (const abandon of this.#calls) abandon();
    this.#state = "waiting";
    this.#settled = (async () => {
      await connection.close().catch(() => undefined);
      await sleep(waitMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#connect();
    })();
  }
}

/** 404 for a session id; some servers answer 400 and name the session. */
function isSessionGone(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === 404 || (error.code === 400 && /session/i.test(error.message));
}

function isCairnItself(settings: McpServerSettings): boolean {
  if (!isStdio(settings)) return false;
  const words = [settings.command, ...settings.args];
  const program = words.findIndex((word) =>
    /(^|[\\/])cairn(\.js|\.cmd)?$|^cairn-memory(@|$)/.test(word),
  );
  return program !== -1 && words.slice(program + 1).includes("mcp");
}

function findAddress(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/\/\/[^/@]*@/, "//");
}

interface LoginOptions {
  readonly address: URL;
  readonly oauth: OAuthSettings;
  readonly store: LoginStore;
  readonly show: (url: string) => void;
  readonly signal: AbortSignal;
}

/** Logs in with the user's browser and stores the tokens. Throws unavailable, forbidden. */
async function logIn({ address, oauth, store, show, signal }: LoginOptions): Promise<void> {
  const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const state = randomBytes(24).toString("base64url");
  const callback = await startLoopbackRedirect({ state }, oauth.callbackPort);
  const provider = new LoginProvider({
    store,
    address: address.href,
    oauth,
    redirectUrl: callback.url,
    redirect: (url) => show(requirePageUrl(url)),
    state,
  });
  const request = {
    serverUrl: address,
    ...(oauth.scope !== undefined && { scope: oauth.scope }),
  };
  try {
    if ((await auth(provider, request)) === "AUTHORIZED") return;
    const authorizationCode = await callback.code(signal);
    await auth(provider, { ...request, authorizationCode });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CairnError) throw error;
    const reason = stripControlLine(messageOf(error)).slice(0, 300);
    throw new CairnError("unavailable", `The login failed: ${reason}.`);
  } finally {
    callback.close();
  }
}

function requirePageUrl(url: URL): string {
  if (url.protocol === "https:" || url.protocol === "http:") return url.href;
  throw new CairnError("forbidden", `The server's login is not a web page: ${url.protocol}`);
}
