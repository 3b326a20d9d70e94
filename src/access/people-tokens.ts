import type { KeptToken, KeptTokens } from "../database/index.ts";
import type { AccessScope } from "../kernel/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../kernel/clock.ts";
import { stateConflict } from "../kernel/errors.ts";
import { requireTokenName } from "./token-name.ts";
import { newTokenText, tokenHash } from "./token-text.ts";

/** A token as it is shown in lists. */
export type TokenRecord = Omit<KeptToken, "hash">;

/** The only time that the token itself is seen. */
export interface NewToken extends TokenRecord {
  readonly token: string;
}

/** Tokens for people and programs: made, listed, revoked. */
export class PeopleTokens {
  readonly #kept: KeptTokens;
  readonly #clock: Clock;

  constructor(kept: KeptTokens, clock: Clock = systemClock) {
    this.#kept = kept;
    this.#clock = clock;
  }

  /** Throws invalid_input for a bad name, conflict for one that is taken. */
  async create(name: string, scope: AccessScope): Promise<NewToken> {
    requireTokenName(name);
    const token = newTokenText();
    const record = { name, scope, created_at: toTimestamp(this.#clock.now()) };
    await this.#kept.add({ ...record, hash: tokenHash(token).toString("hex") });
    return { ...record, token };
  }

  async list(): Promise<TokenRecord[]> {
    return (await this.#kept.list()).map(({ hash: _hash, ...record }) => record);
  }

  /** Servers that know it refuse it within a second, and nobody comes in instead. Throws invalid_input and not_found. */
  async revoke(name: string): Promise<void> {
    requireTokenName(name);
    await this.#kept.remove(name);
  }

  /** Whether servers of the place ask for a token, although there may be none left. */
  isClosed(): Promise<boolean> {
    return this.#kept.isClosed();
  }

  /**
   * Lets whoever can reach a server of the place do everything without a token. Throws conflict while
   * there are tokens, and while a server runs that others than its machine can reach.
   */
  async reopen(): Promise<void> {
    const names = (await this.#kept.list()).map(({ name }) => name);
    if (names.length > 0) {
      throw stateConflict(
        `There are tokens (${names.join(", ")}): revoke them first, or nobody would need them any more.`,
      );
    }
    if ((await this.#kept.countServers()) > 0) {
      throw stateConflict(
        "A server is running that others than its own machine can reach, and they would be let in without a token: stop it first. One that was killed is forgotten within a minute.",
      );
    }
    await this.#kept.reopen();
  }
}
