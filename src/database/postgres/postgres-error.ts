import type { ClientBase } from "pg";
import { CairnError, causesOf, isCairnError } from "../../shared/errors.ts";

/** Translates a PostgreSQL or connection error into an actionable one. */
export function translatePostgresError(error: unknown): unknown {
  if (isCairnError(error) || !(error instanceof Error)) return error;
  const code = findPostgresCode(error);
  if (code === TOO_LONG_CODE) return describeTooLong(error);
  const known = TRANSLATIONS.find(([pattern]) => pattern.test(code ?? ""));
  if (known !== undefined) {
    const [, kind, message] = known;
    return new CairnError(kind, message, undefined, { cause: error });
  }
  const distrust = describeTlsFailure(error);
  if (distrust !== undefined) {
    return new CairnError("unavailable", distrust, undefined, { cause: error });
  }
  if (POOL_TIMEOUT_MESSAGE.test(error.message)) {
    return new CairnError("busy", POOL_EXHAUSTED_MESSAGE, undefined, { cause: error });
  }
  if (!isConnectionLoss(error)) return error;
  return new CairnError("busy", CONNECTION_LOST_MESSAGE, undefined, { cause: error });
}

/** SQLSTATE "program limit exceeded": index entries are limited to 2 704 bytes. */
const TOO_LONG_CODE = "54000";
/** Public field names of indexed texts. */
const INDEX_FIELDS: readonly (readonly [index: RegExp, field: string])[] = [
  [/^episodes_(session|author)/, "session"],
  [/^(changes|recalls)_session/, "session"],
  [/^changes_author/, "author"],
  [/^(entities|event_items)_/, "entities"],
  [/_labels_/, "labels"],
  [/^idempotency_/, "idempotency_key"],
  [/^(topics|concepts|relations|entity_relations)_/, "name"],
];

function describeTooLong(error: Error): CairnError {
  const index = /for index "([^"]+)"/.exec(joinMessages(error))?.[1] ?? "";
  const field = INDEX_FIELDS.find(([pattern]) => pattern.test(index))?.[1] ?? "a text";
  return new CairnError(
    "invalid_input",
    `${field}: is too long for a PostgreSQL index (about 2 700 bytes). Nothing was changed; shorten it, or put the long form into content or metadata.`,
    undefined,
    { cause: error },
  );
}

function joinMessages(error: Error): string {
  return error.cause instanceof Error
    ? `${error.message} ${joinMessages(error.cause)}`
    : error.message;
}

export function unconfirmedCommitError(cause: unknown): CairnError {
  return new CairnError(
    "busy",
    "The connection to PostgreSQL was lost during a commit, so the write may be stored or not. Repeat it with the same idempotency_key, which never stores it twice; without one, check first.",
    undefined,
    { cause },
  );
}

const CONNECTION_LOST_MESSAGE =
  "The connection to PostgreSQL was lost or could not be opened. Nothing was changed; try again in a moment, with the same idempotency_key if there is one.";

const POOL_EXHAUSTED_MESSAGE =
  "No PostgreSQL connection became free in time: all connections of the setting postgres.poolSize are in use. Nothing was changed; try again in a moment, or raise it.";

const TRANSLATIONS: readonly (readonly [
  code: RegExp,
  kind: "busy" | "conflict" | "internal" | "storage_full" | "unavailable",
  message: string,
])[] = [
  [
    /^(55P03|40P01|40001)$/,
    "busy",
    "Another process is writing to the database. Nothing was changed; try again in a moment.",
  ],
  [
    /^57014$/,
    "busy",
    "PostgreSQL ended a statement that took too long. Nothing was changed; try again, or request less.",
  ],
  [
    /^25P03$/,
    "busy",
    "PostgreSQL ended a transaction that was idle for too long. Nothing was changed; try again.",
  ],
  [/^(57P0[1-5]|08\w{3}|53300)$/, "busy", CONNECTION_LOST_MESSAGE],
  [
    /^(28P01|28000)$/,
    "unavailable",
    "PostgreSQL rejected the user or password of the setting database, or requires encryption (sslmode). Correct the setting.",
  ],
  [
    /^(42P05|26000)$/,
    "unavailable",
    "A pooler such as PgBouncer in transaction mode mixes up prepared statements. Nothing was changed; add ?pgbouncer=true to the setting database.",
  ],
  [
    /^3D000$/,
    "unavailable",
    "The PostgreSQL database that the setting database names does not exist. Create it, or correct the setting.",
  ],
  [
    /^42501$/,
    "unavailable",
    "The PostgreSQL user lacks permission: grant it CREATE on the database and ownership of cairn's schemas.",
  ],
  [
    /^(25006)$/,
    "unavailable",
    "The PostgreSQL server is read-only: it is a replica or configured so. Set the setting database to the primary.",
  ],
  [
    /^53100$/,
    "storage_full",
    "The disk of the PostgreSQL server is full: nothing was written. Free some space and try again.",
  ],
  [
    /^(XX001|XX002)$/,
    "conflict",
    "PostgreSQL reports a damaged database. Restore a backup, or rescue what is readable with `cairn export`.",
  ],
];

/** Socket error codes and driver messages. */
const CONNECTION_LOSS_CODES: readonly unknown[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
];
const CONNECTION_LOSS_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|connection timeout|Cannot use a pool after calling end|Client was closed|Query read timeout/i;

/** The driver's message when a pool has no free connection. */
const POOL_TIMEOUT_MESSAGE = /timeout exceeded when trying to connect/;

const TLS_ERRORS: readonly (readonly [code: RegExp, message: string])[] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "The certificate of the PostgreSQL server is for another name. Use the name in the certificate.",
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "The certificate of the PostgreSQL server has expired or is not yet valid. Renew it, or correct the clock.",
  ],
  [
    /CERT|SIGNATURE|ISSUER/,
    "The certificate of the PostgreSQL server is not signed by a trusted authority. Set sslrootcert in the setting database.",
  ],
  [
    /^(ERR_SSL|ERR_OSSL|EPROTO)/,
    "The connection to the PostgreSQL server could not be encrypted: no common TLS version, or a certificate is missing.",
  ],
];

const NO_TLS_MESSAGE =
  "The PostgreSQL server does not support encryption. Enable it, or use sslmode=disable in the setting database.";

/** Explains a TLS trust failure; undefined for other errors. */
function describeTlsFailure(error: Error): string | undefined {
  if (error.message === "The server does not support SSL connections") return NO_TLS_MESSAGE;
  const code = "code" in error ? String(error.code) : "";
  return TLS_ERRORS.find(([pattern]) => pattern.test(code))?.[1];
}

export function isConnectionLoss(error: unknown): boolean {
  for (const inner of causesOf(error)) {
    const code = "code" in inner ? inner.code : undefined;
    if (CONNECTION_LOSS_CODES.includes(code) || CONNECTION_LOSS_MESSAGES.test(inner.message))
      return true;
    if (typeof code === "string" && /^(57P0[1-5]|08\w{3}|25P03)$/.test(code)) return true;
    if (inner instanceof AggregateError && inner.errors.some(isConnectionLoss)) return true;
  }
  return false;
}

/** Returns the SQLSTATE; undefined for errors of other origin. */
export function findPostgresCode(error: unknown): string | undefined {
  for (const inner of causesOf(error)) {
    const code = "code" in inner ? inner.code : undefined;
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && "severity" in inner) return code;
  }
  return undefined;
}

const READ_ONLY_CODE = "25006";

/** Rolls back the failed transaction. Returns undefined if the connection is reusable. */
export async function rollbackFailure(client: ClientBase, cause: unknown): Promise<unknown> {
  if (isConnectionLoss(cause) || findPostgresCode(cause) === READ_ONLY_CODE) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error;
  }
}
