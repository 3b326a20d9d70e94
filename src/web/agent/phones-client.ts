import { RequestFailed } from "../data/request-failed.ts";

export interface PairedPhone {
  readonly name: string;
  readonly used_at: string;
  readonly expires_at: string;
}

export interface PhonesStanding {
  /** Where phones are let in; undefined: nowhere yet. */
  readonly url?: string;
  readonly phones: readonly PairedPhone[];
}

export interface PairingLink {
  readonly url: string;
  readonly until: string;
  /** The code: rows of `1` for dark. */
  readonly rows: readonly string[];
  readonly warning?: string;
}

interface Wish {
  readonly address?: string;
  readonly name?: string;
}

const PHONES = "/agent/phones";

/** Phones as whoever may speak with the agent pairs and revokes them. */
export class PhonesClient {
  readonly #token: () => string | undefined;

  constructor(token: () => string | undefined) {
    this.#token = token;
  }

  async standing(): Promise<PhonesStanding> {
    return (await this.#ask("GET", PHONES)).json();
  }

  async makeLink(wish: Wish): Promise<PairingLink> {
    return (await this.#ask("POST", `${PHONES}/links`, wish)).json();
  }

  async revoke(name: string): Promise<void> {
    await this.#ask("DELETE", `${PHONES}/${encodeURIComponent(name)}`);
  }

  async #ask(method: string, path: string, body?: object): Promise<Response> {
    const token = this.#token();
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(path, init).catch(() => {
      throw new RequestFailed({ code: "offline", message: "The server does not answer." }, 0);
    });
    if (!response.ok) throw await RequestFailed.of(response);
    return response;
  }
}
