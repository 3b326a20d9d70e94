import { effect, type Signal, signal } from "@preact/signals";
import { AgentAccess } from "./agent-access.ts";
import type { AgentConnection } from "./agent-connection.ts";

/** The agent of this page's server: whether it may be spoken with, and the connection once it may. */
export class AgentHolder {
  readonly access = new AgentAccess();
  readonly connection: Signal<AgentConnection | undefined> = signal(undefined);

  /** Its code comes only where there is an agent. */
  begin(): void {
    effect(() => {
      if (this.access.standing.value === "open") void this.#connect();
      else this.#disconnect();
    });
    void this.access.begin();
  }

  async #connect(): Promise<void> {
    const { token } = this.access;
    if (token === undefined || this.connection.peek() !== undefined) return;
    const [{ AgentConnection: Connection }, { tellWhenItWaits }] = await Promise.all([
      import("./agent-connection.ts"),
      import("./notices.ts"),
    ]);
    if (this.connection.peek() !== undefined) return;
    const connection = new Connection({ token, onRefused: () => void this.access.again() });
    tellWhenItWaits(connection);
    this.connection.value = connection;
  }

  #disconnect(): void {
    if (this.access.standing.peek() === "lost") return;
    this.connection.peek()?.end();
    this.connection.value = undefined;
  }
}
