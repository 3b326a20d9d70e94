/** As much of a token as is kept: it cannot be told from this. */
export interface KeptToken {
  readonly name: string;
  /** What it allows. */
  readonly scope: string;
  /** What makes it less than its scope says, as `src/access` reads it. */
  readonly limits?: object | undefined;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** When its text was last exchanged for another one. */
  readonly rotated_at?: string | undefined;
}

/** The tokens of a place of databases: every server of the place knows them. */
export interface KeptTokens {
  /** By name. */
  list(): Promise<KeptToken[]>;
  /** Throws conflict where the name is taken, in whatever case. */
  add(token: KeptToken): Promise<void>;
  /** In place of the one of this name. Throws not_found. */
  replace(token: KeptToken): Promise<void>;
  /** Throws not_found. */
  remove(name: string): Promise<void>;
  /** Notes that the token of this name was brought just now. */
  noteUse(name: string): Promise<void>;
  /** When a token was last brought, as far as it was noted: by name in small letters, ISO 8601, UTC. */
  lastUses(): Promise<ReadonlyMap<string, string>>;
  /** Whether servers of the place ask for a token: since the first one was made, also when none is left. */
  isClosed(): Promise<boolean>;
  /** Lets in whoever can reach a server, until the next token is made. */
  reopen(): Promise<void>;
  /** Says, for as long as `RENEWED_MS` a few times, that others than this machine can reach a server. */
  noteServer(id: string): Promise<void>;
  /** It has stopped. */
  forgetServer(id: string): Promise<void>;
  /** How many of them run. */
  countServers(): Promise<number>;
}

/** Servers note themselves so often; milliseconds. */
export const RENEWED_MS = 10_000;

/** One that has not for so long was killed; milliseconds. */
export const FORGOTTEN_MS = 4 * RENEWED_MS;
