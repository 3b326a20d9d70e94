import type { DatabaseBackend } from "./database.ts";
import type { Migrations } from "./postgres/migrations.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { PostgresBackend } from "./postgres/postgres-store.ts";
import {
  POSTGRES_TIMEOUTS,
  type PostgresOptions,
  type PostgresSettings,
  type PostgresTimeouts,
  postgresSettings,
} from "./settings.ts";
import { DatabaseFolder } from "./sqlite/database-folder.ts";

export interface BackendOptions {
  readonly folder: string;
  /** Address of a server that stores the databases instead. */
  readonly address?: string | undefined;
  readonly postgres?: (PostgresSettings & Partial<PostgresTimeouts>) | undefined;
  readonly isName: (name: string) => boolean;
  readonly writeTimeoutMs?: number | undefined;
  /** Migrations of server databases. Default: those of this version. */
  readonly migrations?: Migrations | undefined;
}

/** Opens the store. Throws invalid_input for an invalid address; does not contact the server. */
export function openDatabaseBackend(options: BackendOptions): DatabaseBackend {
  const { folder, address, postgres, isName, writeTimeoutMs } = options;
  if (address === undefined) return new DatabaseFolder(folder, isName, writeTimeoutMs);
  const input = postgres ?? postgresSettings.parse({});
  const settings = withLockTimeout({ ...POSTGRES_TIMEOUTS, ...input }, writeTimeoutMs);
  const parsed = parsePostgresAddress(address);
  return new PostgresBackend({ address: parsed, settings, isName, migrations: options.migrations });
}

function withLockTimeout(
  settings: PostgresOptions,
  writeTimeoutMs: number | undefined,
): PostgresOptions {
  if (writeTimeoutMs === undefined) return settings;
  const { statementTimeoutMs, connectTimeoutMs } = settings;
  return {
    ...settings,
    statementTimeoutMs: Math.min(statementTimeoutMs, writeTimeoutMs),
    connectTimeoutMs: Math.min(connectTimeoutMs, writeTimeoutMs),
  };
}
