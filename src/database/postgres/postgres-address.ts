import { invalidInput } from "../../kernel/errors.ts";
import { type PostgresTls, takeTls } from "./postgres-tls.ts";

/** Where databases lie on a server of PostgreSQL. */
export interface PostgresAddress {
  /** With the password, for the driver alone. */
  readonly url: string;
  /** Undefined: as PGSSLMODE says, else without. */
  readonly tls: PostgresTls | undefined;
  /** Without it, for messages. */
  readonly shown: string;
  /** The schema in which the names of databases are kept; theirs begin with its name. */
  readonly schema: string;
}

const EXAMPLE = "postgres://user:password@host:5432/name";
/** A number follows it, and PostgreSQL cuts names of more than 63 bytes. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,39}$/;

/** Reads the setting `field`. Throws invalid_input, which never repeats the password. */
export function parsePostgresAddress(text: string, field = "database"): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw invalidInput(`${field}: must be an address of PostgreSQL, such as ${EXAMPLE}`);
  }
  if (url.pathname.length < 2) {
    throw invalidInput(
      `${field}: names no database of the PostgreSQL server; add it behind the host, as in ${EXAMPLE}`,
    );
  }
  const schema = url.searchParams.get("schema") ?? "cairn";
  if (!SCHEMA.test(schema) || schema.startsWith("pg_")) {
    throw invalidInput(
      `${field}: schema is 1 to 40 small letters, digits or underscores, and starts with a letter`,
    );
  }
  url.searchParams.delete("schema");
  const tls = takeTls(url.searchParams, field);
  return { url: url.href, shown: shownAddress(url, schema), schema, tls };
}

function shownAddress(url: URL, schema: string): string {
  const part = schema === "cairn" ? "" : `?schema=${schema}`;
  return `postgres://${url.host || "localhost"}${url.pathname}${part}`;
}
