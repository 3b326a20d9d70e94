import type { DatabasePlace } from "./database-place.ts";
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
}

/** Where the databases lie. Throws invalid_input for a bad address; no server is asked yet. */
export function openPlace({ folder, address, postgres, isName }: PlaceOptions): DatabasePlace {
  if (address === undefined) return new DatabaseFolder(folder, isName);
  const settings = postgres ?? postgresSettings.parse({});
  return new PostgresPlace({ address: parsePostgresAddress(address), settings, isName });
}
