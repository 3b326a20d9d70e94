import { type Signal, signal } from "@preact/signals";
import { TokenOfTabs } from "./token-of-tabs.ts";

const KEY = "cairn-token";

/** What the server says of itself. */
export interface ServerInfo {
  readonly version: string;
  /** The database that is meant when none is named; undefined where the token does not open it. */
  readonly database?: string;
  readonly read_only: boolean;
}

export type Connection = "connecting" | "live" | "lost";

/** Who the page is for the server. A token is kept while a tab has it, and never in an address. */
export class Session {
  readonly server: Signal<ServerInfo | undefined> = signal(undefined);
  readonly connection: Signal<Connection> = signal("connecting");
  /** The server asks for a token, or refuses the one it got; the text says which. */
  readonly refused: Signal<string | undefined> = signal(undefined);
  /** Why the last log-in let nobody in. */
  readonly logInFailure: Signal<string | undefined> = signal(undefined);
  /** The server is another version than the one that this page came from. */
  readonly isOutdated: Signal<boolean> = signal(false);

  readonly #others: TokenOfTabs;
  /** Which token the server refused; another tab may have a better one. */
  #refusedToken: string | undefined;
  #toldToken: string | undefined;

  constructor() {
    const session = this;
    this.#others = new TokenOfTabs(KEY, {
      get token() {
        return session.refused.peek() === undefined ? session.token : undefined;
      },
      take: (token) => this.#take(token),
    });
  }

  get token(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
  }

  /** What a person typed. Other tabs hear of it once the server has taken it. */
  keepToken(token: string): void {
    sessionStorage.setItem(KEY, token);
    this.refused.value = undefined;
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

  /** The server took the token: tabs that wait for one are told. */
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

  /** Whether something can be written just now. */
  get canWrite(): boolean {
    return !this.isReadOnly && this.connection.value !== "lost";
  }
}
