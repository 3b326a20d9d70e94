import { type Signal, signal } from "@preact/signals";

const KEY = "cairn-token";
/** Matches login tokens; those of `cairn token` contain no dot. */
const LOGIN_TOKEN = /^cairn_s_\w+\./;

export interface ServerInfo {
  readonly version: string;
  /** Default database; undefined if the token has no access to it. */
  readonly database?: string;
  readonly read_only: boolean;
  /** True if the server runs an agent. */
  readonly agent?: boolean;
}

export type Connection = "connecting" | "live" | "lost";

/** Access to the server. The token is stored in sessionStorage and never in a URL. */
export class Session {
  readonly server: Signal<ServerInfo | undefined> = signal(undefined);
  readonly connection: Signal<Connection> = signal("connecting");
  readonly refused: Signal<string | undefined> = signal(undefined);
  readonly loginFailure: Signal<string | undefined> = signal(undefined);
  /** True if the server's version differs from the page's. */
  readonly isOutdated: Signal<boolean> = signal(false);

  readonly #others: TabTokenChannel;
  #refusedToken: string | undefined;
  #toldToken: string | undefined;

  constructor() {
    const session = this;
    this.#others = new TabTokenChannel(KEY, {
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

  storeToken(token: string): void {
    sessionStorage.setItem(KEY, token);
    this.refused.value = undefined;
  }

  /** True if the user logged in through the identity provider and so can log out. */
  get isLoggedIn(): boolean {
    return LOGIN_TOKEN.test(this.token ?? "");
  }

  forgetLogin(): void {
    const { token } = this;
    if (token !== undefined) this.#others.end(token);
    this.#drop();
  }

  #drop(): void {
    sessionStorage.removeItem(KEY);
    location.reload();
  }

  /** Handles a rejected token, unless another tab has provided a new one. */
  refuse(message: string, sent: string | undefined): void {
    // A late response to a request that was sent with an earlier token.
    if (sent !== this.token) return;
    this.#refusedToken = sent;
    this.refused.value = message;
    this.#others.ask();
  }

  #take(token: string): void {
    if (this.refused.peek() === undefined || token === this.#refusedToken) return;
    this.storeToken(token);
  }

  shareToken(): void {
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

  /** True if writes are currently possible. */
  get canWrite(): boolean {
    return !this.isReadOnly && this.connection.value !== "lost";
  }
}

type TabMessage =
  | { readonly kind: "asked" }
  | { readonly kind: "token" | "ended"; readonly token: string };

interface Tab {
  readonly token: string | undefined;
  take(token: string): void;
  /** Called when another tab ended the token. */
  drop?(): void;
}

export class TabTokenChannel {
  readonly #channel: BroadcastChannel;

  /** Each kind of token has its own channel. */
  constructor(channel: string, tab: Tab) {
    this.#channel = new BroadcastChannel(channel);
    this.#channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      const { token } = tab;
      if (data.kind === "token") tab.take(data.token);
      else if (data.kind === "ended") {
        if (data.token === token) tab.drop?.();
      } else if (token !== undefined) this.tell(token);
    });
  }

  ask(): void {
    this.#channel.postMessage({ kind: "asked" } satisfies TabMessage);
  }

  tell(token: string): void {
    this.#channel.postMessage({ kind: "token", token } satisfies TabMessage);
  }

  /** Announces that the token is no longer valid. */
  end(token: string): void {
    this.#channel.postMessage({ kind: "ended", token } satisfies TabMessage);
  }
}
