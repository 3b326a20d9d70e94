import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { lock } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { isMissingFile } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";

export interface StoredLogin {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  readonly redirectUrl?: string;
}

/** About a minute in all: longer than the request that renews a token may take. */
const LOCK_RETRIES = { retries: 150, factor: 1.2, minTimeout: 10, maxTimeout: 500 };

/** Log-ins to servers by address, in a file that only its owner can read and that processes share. */
export class LoginStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get(address: string): StoredLogin | undefined {
    const login = this.#read()[address];
    return isPlainObject(login) ? login : undefined;
  }

  /** Stores what `change` makes of the current log-in; undefined removes it. */
  async change(
    address: string,
    change: (login: StoredLogin | undefined) => StoredLogin | undefined,
  ): Promise<void> {
    await this.#whileLocked(this.#path, () => {
      const { [address]: _earlier, ...others } = this.#read();
      const login = change(this.get(address));
      this.#write(login === undefined ? others : { ...others, [address]: login });
    });
  }

  /** Runs `work` while no other process renews the tokens of this server. */
  async whileRenewing<Value>(address: string, work: () => Promise<Value>): Promise<Value> {
    const name = createHash("sha256").update(address).digest("hex").slice(0, 16);
    return this.#whileLocked(`${this.#path}.renewal-${name}`, work);
  }

  async #whileLocked<Value>(path: string, work: () => Value | Promise<Value>): Promise<Value> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const release = await lock(path, {
      realpath: false,
      retries: LOCK_RETRIES,
      onCompromised: ignoreLostLock,
    });
    try {
      return await work();
    } finally {
      await release().catch(ignoreLostLock);
    }
  }

  #write(all: Readonly<Record<string, unknown>>): void {
    writeFileAtomic.sync(this.#path, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  }

  #read(): Record<string, unknown> {
    try {
      const all: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return isPlainObject(all) ? all : {};
    } catch (error) {
      if (isMissingFile(error)) return {};
      throw new Error(`${this.#path} cannot be read: repair it, or delete it and log in again.`);
    }
  }
}

/** A suspended process loses its lock. What it stores is a whole file, and ending it helps nobody. */
function ignoreLostLock(): void {}
