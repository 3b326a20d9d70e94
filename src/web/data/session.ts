import { type Signal, signal } from "@preact/signals";
import { TokenOfTabs } from "./token-of-tabs.ts";

const KEY = "cairn-token";
/** The token of a log-in with the company's account; those that `cairn token` makes have no dot. */
const OF_LOG_IN = /^cairn_s_\w+\./;

export interface ServerInfo {
  readonly version: string;
  /** The database that is meant when none is named; undefined where the token does not open it. */
  readonly database?: string;
  readonly read_only: boolean;
}

export type Connection = "connecting" | "live" | "lost";

/** Access to the server. The token lives in sessionStorage and never in an address. */
export class Session {
  readonly server: Signal<ServerInfo | undefined> = signal(undefined);
  readonly connection: Signal<Connection> = signal("connecting");
  readonly refused: Signal<string | undefined> = signal(undefined);
  readonly logInFailure: Signal<string | undefined> = signal(undefined);
  /** The server is another version than the one that this page came from. */
  readonly isOutdated: Signal<boolean> = signal(false);

  readonly #others: TokenOfTabs;
  #refusedToken: string | undefined;
  #toldToken: string | undefined;

  constructor() {
    const session = this;
    this.#others = new TokenOfTabs(KEY, {
      get token() {
        return session.refused.peek() === undefined ? session.token : undefined;
      },
      take: (token) => this.#take(token),
      drop: () => this.#drop(),
    });
  }

  get token(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
  }

  keepToken(token: string): void {
    sessionStorage.setItem(KEY, token);
    this.refused.value = undefined;
  }

  /** True if somebody came in with their company's account, and so can log out. */
  get isLoggedIn(): boolean {
    return OF_LOG_IN.test(this.token ?? "");
  }

  forgetLogIn(): void {
    const { token } = this;
    if (token !== undefined) this.#others.end(token);
    this.#drop();
  }

  #drop(): void {
    sessionStorage.removeItem(KEY);
    location.reload();
  }

  /** The server refused what it got; another tab may have been let in. */
  refuse(message: string, sent: string | undefined): void {
    // A late answer to a request from before there was a token.
    if (sent !== this.token) return;
    this.#refusedToken = sent;
    this.refused.value = message;
    this.#others.ask();
  }

  #take(token: string): void {
    if (this.refused.peek() === undefined || token === this.#refusedToken) return;
    this.keepToken(token);
  }

  letIn(): void {
    const { token } = this;
    if (token === undefined || token === this.#toldToken) return;
    this.#toldToken = token;
    this.#others.tell(token);
  }

  learn(server: ServerInfo): void {
    const known = this.server.peek();
    if (known !== undefined && known.version !== server.version) this.isOutdated.value = true;
    this.server.value = server;
  }

  get isReadOnly(): boolean {
    return this.server.value?.read_only === true;
  }

  /** True if something can be written just now. */
  get canWrite(): boolean {
    return !this.isReadOnly && this.connection.value !== "lost";
  }
}
