import { type Signal, signal } from "@preact/signals";

const KEY = "cairn-token";

/** What the server says of itself. */
export interface ServerInfo {
  readonly version: string;
  /** The database that is meant when none is named. */
  readonly database: string;
  readonly read_only: boolean;
}

export type Connection = "connecting" | "live" | "lost";

/** Who the page is for the server. A token is kept for this tab alone, and never in an address. */
export class Session {
  readonly server: Signal<ServerInfo | undefined> = signal(undefined);
  readonly connection: Signal<Connection> = signal("connecting");
  /** The server asks for a token, or refuses the one it got; the text says which. */
  readonly refused: Signal<string | undefined> = signal(undefined);
  /** The server is another version than the one that this page came from. */
  readonly isOutdated: Signal<boolean> = signal(false);

  get token(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
  }

  keepToken(token: string): void {
    sessionStorage.setItem(KEY, token);
    this.refused.value = undefined;
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
