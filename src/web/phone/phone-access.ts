import { type Signal, signal } from "@preact/signals";
import { AgentConnection } from "../agent/agent-connection.ts";
import { failureOf, RequestFailed } from "../data/request-failed.ts";

const KEY = "cairn-phone-token";

/** `alone`: not paired, or not any more; `lost`: the computer does not answer. */
export type PhoneStanding = "asking" | "alone" | "paired" | "lost";

export interface WaitingItem {
  readonly id: string;
  readonly says: readonly string[];
}

export interface WaitingInMemory {
  readonly conflicts: readonly WaitingItem[];
  readonly proposals: readonly WaitingItem[];
}

/** How often a phone that has lost the computer looks for it; milliseconds. */
const AGAIN_MS = 5_000;

/** Whether this phone is paired with the computer that it got this page from, and the agent once it is. */
export class PhoneAccess {
  readonly standing: Signal<PhoneStanding> = signal("asking");
  /** Why it is not paired, in the server's words. */
  readonly refusal: Signal<string | undefined> = signal(undefined);
  readonly name: Signal<string> = signal("");
  /** The folder of the project. */
  readonly project: Signal<string> = signal("");
  readonly connection: Signal<AgentConnection | undefined> = signal(undefined);
  readonly inMemory: Signal<WaitingInMemory> = signal({ conflicts: [], proposals: [] });

  /** Once, when the page begins. What the address brings is taken out of it at once. */
  async begin(): Promise<void> {
    const link = new URLSearchParams(location.hash.slice(1)).get("pair");
    if (link !== null) {
      history.replaceState(history.state, "", location.pathname);
      await this.#pair(link);
    }
    await this.again();
  }

  /** Asks with the token that there is, if there is one. */
  async again(): Promise<void> {
    const token = localStorage.getItem(KEY);
    if (token === null) {
      this.standing.value = "alone";
      return;
    }
    try {
      const { name, project } = await ask<{ name: string; project: string }>("/phone/me", token);
      this.name.value = name;
      this.project.value = project;
      this.standing.value = "paired";
      this.#connect(token);
      await this.look();
    } catch (error) {
      this.#lose(failureOf(error));
    }
  }

  /** Looks again at what waits in memory. */
  async look(): Promise<void> {
    const token = localStorage.getItem(KEY);
    if (token === null) return;
    this.inMemory.value = await ask<WaitingInMemory>("/phone/waiting", token);
  }

  async #pair(link: string): Promise<void> {
    try {
      const { token } = await ask<{ token: string }>("/phone/session", link, "POST");
      localStorage.setItem(KEY, token);
      this.refusal.value = undefined;
    } catch (error) {
      this.refusal.value = failureOf(error).message;
    }
  }

  #connect(token: string): void {
    this.connection.value ??= new AgentConnection({
      token,
      onlyAnswers: true,
      onRefused: () => void this.again(),
    });
  }

  #lose({ status, message }: RequestFailed): void {
    if (status === 401 || status === 403) {
      localStorage.removeItem(KEY);
      this.connection.peek()?.end();
      this.connection.value = undefined;
      this.refusal.value = message;
      this.standing.value = "alone";
      return;
    }
    this.standing.value = "lost";
    setTimeout(() => void this.again(), AGAIN_MS);
  }
}

async function ask<Answer>(path: string, token: string, method = "GET"): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(path, { method, headers }).catch(() => {
    throw new RequestFailed({ code: "offline", message: "The computer does not answer." }, 0);
  });
  if (!response.ok) throw await RequestFailed.of(response);
  return response.json();
}
