import type { DatabasePlace } from "./database.ts";
import type { Migrations } from "./postgres/migrations.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { PostgresPlace } from "./postgres/postgres-place.ts";
import { type PostgresSettings, postgresSettings } from "./settings.ts";
import { DatabaseFolder } from "./sqlite/database-folder.ts";

export interface PlaceOptions {
  readonly folder: string;
  /** The address of a server that stores the databases instead. */
  readonly address?: string | undefined;
  readonly postgres?: PostgresSettings | undefined;
  readonly isName: (name: string) => boolean;
  /** Lock timeout of writes, in milliseconds. Default: a minute. */
  readonly writePatienceMs?: number | undefined;
  /** The scripts that create that server's databases. Default: those of this version. */
  readonly migrations?: Migrations | undefined;
}

/** Opens the place of the databases. Throws invalid_input for a bad address; no server is contacted yet. */
export function openPlace(options: PlaceOptions): DatabasePlace {
  const { folder, address, postgres, isName, writePatienceMs } = options;
  if (address === undefined) return new DatabaseFolder(folder, isName, writePatienceMs);
  const settings = withLockTimeout(postgres ?? postgresSettings.parse({}), writePatienceMs);
  const parsed = parsePostgresAddress(address);
  return new PostgresPlace({ address: parsed, settings, isName, migrations: options.migrations });
}

/** Applies this patience to statements that wait for another writer or for a connection. */
function withLockTimeout(
  settings: PostgresSettings,
  patienceMs: number | undefined,
): PostgresSettings {
  if (patienceMs === undefined) return settings;
  const { statementTimeoutMs, connectTimeoutMs } = settings;
  return {
    ...settings,
    statementTimeoutMs: Math.min(statementTimeoutMs, patienceMs),
    connectTimeoutMs: Math.min(connectTimeoutMs, patienceMs),
  };
}
