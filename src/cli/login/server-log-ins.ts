import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { z } from "zod";
import { CairnError } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { readLogIns, writeLogIns } from "../../shared/log-in-file.ts";
import { RefusedResponse, type ServerEndpoint, type ServerTokens } from "./server-endpoint.ts";

export const SERVER_LOG_INS_FILE = "server-logins.json";

const storedLogIn = z.object({ access: z.string(), refresh: z.string(), until: z.number() });
const file = z.record(z.string(), storedLogIn);
type StoredLogIn = z.output<typeof storedLogIn>;

/** Milliseconds before expiry at which a token is renewed. */
const RENEWAL_MARGIN_MS = 120_000;
const LOCK_OPTIONS = {
  realpath: false,
  retries: { retries: 40, minTimeout: 100, maxTimeout: 1_000 },
};

/** Log-ins by server address, in a file readable only by its owner. */
export class ServerLogIns {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async store(url: string, tokens: ServerTokens): Promise<void> {
    await this.#alone(() => this.#write({ ...this.#read(), [url]: toStoredLogIn(tokens) }));
  }

  /** Removes and returns a log-in. */
  async take(url: string): Promise<{ readonly refresh: string } | undefined> {
    return this.#alone(() => {
      const { [url]: removed, ...others } = this.#read();
      if (removed !== undefined) this.#write(others);
      return removed;
    });
  }

  /**
   * Returns a token that stays valid for a while. Serializes renewal across processes, since using
   * a refresh token twice revokes the log-in.
   */
  async token(endpoint: ServerEndpoint): Promise<string> {
    return this.#alone(async () => {
      const all = this.#read();
      const known = all[endpoint.url];
      if (known === undefined) throw notLoggedInError(endpoint.url);
      if (known.until - RENEWAL_MARGIN_MS > Date.now()) return known.access;
      try {
        const renewed = toStoredLogIn(await endpoint.ofRefresh(known.refresh));
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

  #read(): Readonly<Record<string, StoredLogIn>> {
    return readLogIns(this.path, file) ?? {};
  }

  #write(all: Readonly<Record<string, StoredLogIn>>): void {
    writeLogIns(this.path, all);
  }
}

function toStoredLogIn({
  access_token: access,
  refresh_token: refresh,
  expires_in,
}: ServerTokens): StoredLogIn {
  return { access, refresh, until: Date.now() + expires_in * 1000 };
}

function notLoggedInError(url: string): CairnError {
  return new CairnError("unauthorized", `You are not logged in there. Run: cairn login ${url}`);
}
