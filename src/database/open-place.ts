import type { DatabasePlace } from "./database-place.ts";
import { parsePostgresAddress } from "./postgres/postgres-address.ts";
import { PostgresPlace } from "./postgres/postgres-place.ts";
import { DatabaseFolder } from "./sqlite/database-folder.ts";

export interface PlaceOptions {
  /** Absolute path of the folder of databases. */
  readonly folder: string;
  /** The address of a server that holds them instead. */
  readonly address?: string | undefined;
  readonly isName: (name: string) => boolean;
}

/** Where the databases lie. Throws invalid_input for a bad address; no server is asked yet. */
export function openPlace({ folder, address, isName }: PlaceOptions): DatabasePlace {
  if (address === undefined) return new DatabaseFolder(folder, isName);
  return new PostgresPlace(parsePostgresAddress(address), isName);
}
