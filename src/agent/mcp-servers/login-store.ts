import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import writeFileAtomic from "write-file-atomic";
import { isMissingFile } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";

export interface StoredLogin {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  readonly redirectUrl?: string;
}

/** Log-ins to servers, by their address, in a file that only its owner reads. */
export class LoginStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get(address: string): StoredLogin | undefined {
    const login = this.#read()[address];
    return isPlainObject(login) ? login : undefined;
  }

  change(address: string, change: StoredLogin): void {
    const all = this.#read();
    this.#write({ ...all, [address]: { ...this.get(address), ...change } });
  }

  remove(address: string): void {
    const { [address]: _gone, ...rest } = this.#read();
    this.#write(rest);
  }

  #write(all: Readonly<Record<string, unknown>>): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
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
