import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import writeFileAtomic from "write-file-atomic";
import { isMissingFile } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { whileLocked } from "../documents/json-list-file.ts";

export interface StoredLogin {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  readonly redirectUrl?: string;
}

/** Logins to servers by address, in a file that only its owner can read. */
export class LoginStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get(address: string): StoredLogin | undefined {
    const login = this.#read()[address];
    return isPlainObject(login) ? login : undefined;
  }

  /** Stores the result of `change`; undefined removes the login. */
  async change(
    address: string,
    change: (login: StoredLogin | undefined) => StoredLogin | undefined,
  ): Promise<void> {
    const path = await this.#prepared(this.#path);
    await whileLocked(path, () => {
      const { [address]: _earlier, ...others } = this.#read();
      const login = change(this.get(address));
      this.#write(login === undefined ? others : { ...others, [address]: login });
    });
  }

  /** Runs `work` while no other process renews the tokens of this server. */
  async whileRenewing<Value>(address: string, work: () => Promise<Value>): Promise<Value> {
    const name = createHash("sha256").update(address).digest("hex").slice(0, 16);
    const path = await this.#prepared(`${this.#path}.renewal-${name}`);
    return whileLocked(path, work);
  }

  async #prepared(path: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return path;
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
