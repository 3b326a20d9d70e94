/** The stored part of a token, from which the token cannot be reconstructed. */
export interface StoredToken {
  readonly name: string;
  /** The scope that the token grants. */
  readonly scope: string;
  /** Limits within its scope, in the form that `src/access` reads. */
  readonly limits?: object | undefined;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** When the token's text was last replaced. */
  readonly rotated_at?: string | undefined;
}

/** The tokens of a place of databases. Every server of the place sees them. */
export interface StoredTokens {
  /** The tokens by name. */
  list(): Promise<StoredToken[]>;
  /** Throws conflict if the name is taken, regardless of case. */
  add(token: StoredToken): Promise<void>;
  /** Replaces the token of the same name. Throws not_found. */
  replace(token: StoredToken): Promise<void>;
  /** Throws not_found. */
  remove(name: string): Promise<void>;
  /** Records that the token of this name was used just now. */
  noteUse(name: string): Promise<void>;
  /** When each token was last used, as far as recorded: by name in small letters, ISO 8601, UTC. */
  lastUses(): Promise<ReadonlyMap<string, string>>;
  /**
   * True if servers of the place require a token. True once a first token was made, even if none is
   * left.
   */
  isClosed(): Promise<boolean>;
  /** Lets in everybody who can reach a server, until the next token is made. */
  reopen(): Promise<void>;
  /** Records that other machines can reach this server. The record is valid for a few times `RENEWED_MS`. */
  noteServer(id: string): Promise<void>;
  /** Removes the record of a server that has stopped. */
  forgetServer(id: string): Promise<void>;
  /** Number of recorded servers are running. */
  countServers(): Promise<number>;
}

/** How often servers renew their record, in milliseconds. */
export const RENEWED_MS = 10_000;

/** A server that has not renewed its record for so many milliseconds was killed. */
export const FORGOTTEN_MS = 4 * RENEWED_MS;
