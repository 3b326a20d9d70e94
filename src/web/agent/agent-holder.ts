import { effect, type Signal, signal } from "@preact/signals";
import { getFailure, RequestFailed } from "../data/request-failed.ts";
import { type Session, TabTokenChannel } from "../data/session.ts";
import type { AgentConnection } from "./agent-connection.ts";

const KEY = "cairn-agent-token";

/**
 * State of the connection to the server's agent. `absent`: the server has none; `locked`: it
 * requires a token.
 */
type AgentStatus = "asking" | "absent" | "locked" | "open" | "lost";

class AgentAccess {
  readonly status: Signal<AgentStatus> = signal("asking");
  /** The server's reason for rejecting the connection. */
  readonly refusal: Signal<string | undefined> = signal(undefined);
  readonly #tabs: TabTokenChannel;
  readonly #session: Session;
  /** Ends the effect that follows the server's facts. */
  #unfollow: (() => void) | undefined;

  constructor(session: Session) {
    this.#session = session;
    const access = this;
    this.#tabs = new TabTokenChannel(KEY, {
      get token() {
        return access.status.peek() === "open" ? access.token : undefined;
      },
      take: (token) => {
        if (this.status.peek() !== "open") void this.#try(token);
      },
    });
  }

  get token(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
  }

  async begin(): Promise<void> {
    const link = new URLSearchParams(location.hash.slice(1)).get("agent");
    if (link === null) return this.retry();
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
      const { token } = await ask("POST", "/agent/session", link);
      await this.#try(String(token));
      if (this.status.peek() === "open") this.#tabs.tell(String(token));
    } catch (error) {
      await this.retry();
      if (this.status.peek() !== "open") this.refusal.value = getFailure(error).message;
    }
  }

  /** Retries with the current token, if any. */
  async retry(): Promise<void> {
    if (this.token === undefined) {
      this.#unfollow?.();
      this.#unfollow = effect(() => this.#learnStatus());
      return;
    }
    await this.#try(this.token);
    if (this.status.peek() === "locked") this.#tabs.ask();
  }

  /** Learns from the server's facts whether it has an agent: a request would be rejected. */
  #learnStatus(): void {
    const server = this.#session.server.value;
    const isRefused = this.#session.refused.value !== undefined;
    if (this.token !== undefined || (server === undefined && !isRefused)) return;
    this.status.value = server !== undefined && server.agent !== true ? "absent" : "locked";
    if (this.status.peek() === "locked") this.#tabs.ask();
  }

  async unlock(token: string): Promise<void> {
    await this.#try(token);
    if (this.status.peek() === "open") this.#tabs.tell(token);
  }

  async #try(token: string | undefined): Promise<void> {
    try {
      await ask("GET", "/agent", token);
      if (token !== undefined) sessionStorage.setItem(KEY, token);
      this.refusal.value = undefined;
      this.status.value = "open";
    } catch (error) {
      const failure = getFailure(error);
      if (failure.status === 404) this.status.value = "absent";
      else if (failure.status === 401 || failure.status === 403) {
        this.status.value = "locked";
        if (token !== undefined) this.refusal.value = failure.message;
      } else this.status.value = "lost";
    }
  }
}

async function ask(
  method: string,
  path: string,
  token: string | undefined,
): Promise<Record<string, unknown>> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(path, { method, headers }).catch(() => {
    throw new RequestFailed({ code: "offline", message: "Server unreachable." }, 0);
  });
  if (!response.ok) throw await RequestFailed.of(response);
  return response.json();
}

/** Owns the connection to the server's agent and its access state. */
export class AgentHolder {
  readonly access: AgentAccess;
  readonly connection: Signal<AgentConnection | undefined> = signal(undefined);

  constructor(session: Session) {
    this.access = new AgentAccess(session);
  }

  /** Loads the agent code only if the server has an agent. */
  begin(): void {
    effect(() => {
      if (this.access.status.value === "open") void this.#connect();
      else this.#disconnect();
    });
    void this.access.begin();
  }

  async #connect(): Promise<void> {
    const { token } = this.access;
    if (token === undefined || this.connection.peek() !== undefined) return;
    const { connectAgent } = await import("./agent-connection.ts");
    if (this.connection.peek() !== undefined) return;
    const onRefused = () => void this.access.retry();
    this.connection.value = connectAgent({ token, onRefused });
  }

  #disconnect(): void {
    if (this.access.status.peek() === "lost") return;
    this.connection.peek()?.end();
    this.connection.value = undefined;
  }
}
