import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";

const TLS_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

interface PostgresTls {
  readonly mode: (typeof TLS_MODES)[number];
  /** Files: trusted root certificates, and the client certificate with its key. */
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

const SYSTEM_CERTIFICATES = "system";

/** Removes and returns an address's TLS parameters. `field` is the setting's name for errors. */
function parseTls(parameters: URLSearchParams, field: string): PostgresTls | undefined {
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value;
  };
  const [mode, ssl] = [take("sslmode"), take("ssl")];
  const rootCert = take("sslrootcert");
  const [cert, key] = [take("sslcert"), take("sslkey")];
  if ([mode, ssl, rootCert, cert, key].every((value) => value === undefined)) return undefined;
  if (mode === undefined && ssl !== undefined) {
    throw invalidInput(`${field}: contains ssl; use sslmode=${TLS_MODES.join(", ")} instead`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw invalidInput(`${field}: sslcert and sslkey must be set together`);
  }
  return { mode: parseMode(mode ?? "verify-full", { field, rootCert }), rootCert, cert, key };
}

function parseMode(
  text: string,
  { field, rootCert }: { readonly field: string; readonly rootCert: string | undefined },
): PostgresTls["mode"] {
  const mode = TLS_MODES.find((one) => one === text);
  if (mode === undefined) {
    throw invalidInput(`${field}: sslmode is ${TLS_MODES.join(", ")}, not "${text.slice(0, 40)}"`);
  }
  if (mode === "verify-ca" && rootCert === undefined) {
    throw invalidInput(
      `${field}: sslmode=verify-ca needs sslrootcert, the file of the trusted certificate authority; or use verify-full`,
    );
  }
  return mode;
}

/** Driver options. Throws unavailable for an unreadable file. */
export function tlsOptions({ mode, rootCert, cert, key }: PostgresTls): ConnectionOptions | false {
  if (mode === "disable") return false;
  const ca =
    rootCert === undefined || rootCert === SYSTEM_CERTIFICATES
      ? {}
      : { ca: readCertificate("sslrootcert", rootCert) };
  const own =
    cert === undefined || key === undefined
      ? {}
      : { cert: readCertificate("sslcert", cert), key: readCertificate("sslkey", key) };
  if (mode === "verify-full") return { ...ca, ...own };
  if (rootCert === undefined) return { ...own, rejectUnauthorized: false };
  return { ...ca, ...own, checkServerIdentity: () => undefined };
}

function readCertificate(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CairnError(
      "unavailable",
      `${parameter} in the PostgreSQL address names an unreadable file: ${messageOf(error)}`,
      undefined,
      { cause: error },
    );
  }
}

export interface PostgresAddress {
  readonly urls: readonly string[];
  readonly tls: PostgresTls | undefined;
  readonly shown: string;
  readonly schema: string;
  /** Skips read-only hosts. */
  readonly mustWrite: boolean;
  /** True if a pooler may give each transaction another session. */
  readonly isPooled: boolean;
}

const EXAMPLE_ADDRESS = "postgres://user:password@host:5432/name";
/** Leaves room for a number, since PostgreSQL truncates names to 63 bytes. */
const SCHEMA_PATTERN = /^[a-z_][a-z0-9_]{0,39}$/;
/** `user:password@`, hosts, and the rest. The URL class cannot parse several hosts. */
const ADDRESS_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;
const WRITE_ATTRIBUTES = ["read-write", "primary"];
const SESSION_ATTRIBUTES = ["any", ...WRITE_ATTRIBUTES];

export function parsePostgresAddress(text: string, field = "database"): PostgresAddress {
  const [, before = "", hosts = "", behind = ""] = ADDRESS_PARTS.exec(text) ?? [];
  const addresses = hosts.split(",").map((host) => `${before}${host}${behind}`);
  const urls = addresses.flatMap((one) => (URL.canParse(one) ? [new URL(one)] : []));
  const [url] = urls;
  const isComplete =
    urls.length === addresses.length && (urls.length === 1 || !/(^|,)(,|$)/.test(hosts));
  if (url === undefined || !isComplete || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw invalidInput(`${field}: must be a PostgreSQL address such as ${EXAMPLE_ADDRESS}`);
  }
  if (url.pathname.length < 2) {
    throw invalidInput(
      `${field}: must name a database of the PostgreSQL server after the host, as in ${EXAMPLE_ADDRESS}`,
    );
  }
  const { searchParams } = url;
  const schema = takeParameter(searchParams, "schema") ?? "cairn";
  if (!SCHEMA_PATTERN.test(schema) || schema.startsWith("pg_")) {
    throw invalidInput(
      `${field}: schema must be 1 to 40 lower-case letters, digits or underscores, starting with a letter`,
    );
  }
  const attribute = takeParameter(searchParams, "target_session_attrs");
  if (attribute !== undefined && !SESSION_ATTRIBUTES.includes(attribute)) {
    throw invalidInput(
      `${field}: target_session_attrs is ${SESSION_ATTRIBUTES.join(", ")}, not "${attribute.slice(0, 40)}": cairn writes there`,
    );
  }
  const isPooled = takeParameter(searchParams, "pgbouncer") === "true";
  const tls = parseTls(searchParams, field);
  return {
    urls: urls.map((one) => withQuery(one, searchParams)),
    shown: formatAddress(hosts, url, schema),
    schema,
    tls,
    mustWrite: attribute === undefined ? urls.length > 1 : WRITE_ATTRIBUTES.includes(attribute),
    isPooled,
  };
}

function takeParameter(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined;
  parameters.delete(name);
  return value;
}

function withQuery(url: URL, parameters: URLSearchParams): string {
  const input = new URL(url);
  input.search = parameters.toString();
  return input.href;
}

function formatAddress(hosts: string, url: URL, schema: string): string {
  const part = schema === "cairn" ? "" : `?schema=${schema}`;
  const displayHost = hosts.includes(",") ? hosts : url.host || "localhost";
  return `postgres://${displayHost}${url.pathname}${part}`;
}
