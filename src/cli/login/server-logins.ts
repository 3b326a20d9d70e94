import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { z } from "zod";
import { CairnError } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { readLogins, writeLogins } from "../../shared/login-file.ts";
import { RefusedResponse, type ServerEndpoint, type ServerTokens } from "./server-endpoint.ts";

export const SERVER_LOGINS_FILE = "server-logins.json";

const storedLogin = z.object({ access: z.string(), refresh: z.string(), until: z.number() });
const file = z.record(z.string(), storedLogin);
type StoredLogin = z.output<typeof storedLogin>;

/** Milliseconds before expiry at which a token is renewed. */
const RENEWAL_MARGIN_MS = 120_000;
const LOCK_OPTIONS = {
  realpath: false,
  retries: { retries: 40, minTimeout: 100, maxTimeout: 1_000 },
};

/** Logins by server address, in a file readable only by its owner. */
export class ServerLogins {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async store(url: string, tokens: ServerTokens): Promise<void> {
    await this.#alone(() => this.#write({ ...this.#read(), [url]: toStoredLogin(tokens) }));
  }

  /** Removes and returns a login. */
  async take(url: string): Promise<{ readonly refresh: string } | undefined> {
    return this.#alone(() => {
      const { [url]: removed, ...others } = this.#read();
      if (removed !== undefined) this.#write(others);
      return removed;
    });
  }

  /**
   * Returns a token that stays valid for a while. Serializes renewal across processes, since using
   * a refresh token twice revokes the login.
   */
  async token(endpoint: ServerEndpoint): Promise<string> {
    return this.#alone(async () => {
      const all = this.#read();
      const known = all[endpoint.url];
      if (known === undefined) throw notLoggedInError(endpoint.url);
      if (known.until - RENEWAL_MARGIN_MS > Date.now()) return known.access;
      try {
        const renewed = toStoredLogin(await endpoint.ofRefresh(known.refresh));
        this.#write({ ...all, [endpoint.url]: renewed });
        return renewed.access;
      } catch (error) {
        if (!(error instanceof RefusedResponse)) throw error;
        const { [endpoint.url]: _over, ...others } = all;
        this.#write(others);
        throw new CairnError("unauthorized", `${error.message} Run: cairn login ${endpoint.url}`);
      }
    });
  }

  async #alone<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    makeFolder(dirname(this.path));
    const release = await lock(this.path, LOCK_OPTIONS);
    try {
      return await work();
    } finally {
      await release();
    }
  }

  #read(): Readonly<Record<string, StoredLogin>> {
    return readLogins(this.path, file) ?? {};
  }

  #write(all: Readonly<Record<string, StoredLogin>>): void {
    writeLogins(this.path, all);
  }
}

function toStoredLogin({
  access_token: access,
  refresh_token: refresh,
  expires_in,
}: ServerTokens): StoredLogin {
  return { access, refresh, until: Date.now() + expires_in * 1000 };
}

function notLoggedInError(url: string): CairnError {
  return new CairnError("unauthorized", `You are not logged in there. Run: cairn login ${url}`);
}
