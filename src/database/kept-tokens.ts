/** As much of a token as is kept: it cannot be told from this. */
export interface KeptToken {
  readonly name: string;
  /** What it allows. */
  readonly scope: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** The tokens of a place of databases: every server of the place knows them. */
export interface KeptTokens {
  /** By name. */
  list(): Promise<KeptToken[]>;
  /** Throws conflict where the name is taken, in whatever case. */
  add(token: KeptToken): Promise<void>;
  /** Throws not_found. */
  remove(name: string): Promise<void>;
}
