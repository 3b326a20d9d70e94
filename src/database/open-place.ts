import type { DatabasePlace } from "./database-place.ts";
import type { Migrations } from "./postgres/migrations.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { PostgresPlace } from "./postgres/postgres-place.ts";
import { type PostgresSettings, postgresSettings } from "./settings.ts";
import { DatabaseFolder } from "./sqlite/database-folder.ts";

export interface PlaceOptions {
  /** Absolute path of the folder of databases. */
  readonly folder: string;
  /** The address of a server that holds them instead. */
  readonly address?: string | undefined;
  /** How such a server is asked. Default: as the settings have it by default. */
  readonly postgres?: PostgresSettings | undefined;
  readonly isName: (name: string) => boolean;
  /** How long a write waits for others who write, milliseconds. Default: a minute. */
  readonly writePatienceMs?: number | undefined;
  /** What such a server's databases are made of. Default: the scripts of this version. */
  readonly migrations?: Migrations | undefined;
}

/** Where the databases lie. Throws invalid_input for a bad address; no server is asked yet. */
export function openPlace(options: PlaceOptions): DatabasePlace {
  const { folder, address, postgres, isName, writePatienceMs } = options;
  if (address === undefined) return new DatabaseFolder(folder, isName, writePatienceMs);
  const settings = withPatience(postgres ?? postgresSettings.parse({}), writePatienceMs);
  const parsed = parsePostgresAddress(address);
  return new PostgresPlace({ address: parsed, settings, isName, migrations: options.migrations });
}

/** A statement that waits for another writer, and one for a connection, take as long as that. */
function withPatience(
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
