import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type DatabasePlace, openPlace } from "../../src/database/index.ts";
import { isDatabaseName } from "../../src/memory/index.ts";
import { type PostgresPlace, postgresPlace } from "./postgres/postgres-place.ts";
import { startMigrated } from "./start-migrated.ts";

/** What holds the databases of tests; TEST_DATABASE chooses it. */
export const ENGINE: "sqlite" | "postgres" =
  process.env.TEST_DATABASE === "postgres" ? "postgres" : "sqlite";

/** The databases that belong to this folder: in it, or as if they were. */
export function placeAt(folder: string): DatabasePlace {
  if (ENGINE === "postgres") {
    return openPlace({ folder, address: serverPlaceOf(folder), isName: isDatabaseName });
  }
  const place = openPlace({ folder, isName: isDatabaseName });
  const open = place.open.bind(place);
  place.open = (name, options) => startMigrated(open(name, options), join(folder, `${name}.db`));
  return place;
}

/** What leads a process to them. */
export function placeVariables(folder: string): Readonly<Record<string, string>> {
  return { CAIRN_DATA_DIR: folder, ...databaseVariable(folder) };
}

/** The same for a process that finds the folder by itself. */
export function databaseVariable(folder: string): Readonly<Record<string, string>> {
  return ENGINE === "postgres" ? { CAIRN_DATABASE: serverPlaceOf(folder) } : {};
}

interface Held {
  readonly place: PostgresPlace;
  /** The folder, or the one that it will be made in: when that is gone, so is the place. */
  readonly anchor: string;
}

const held = new Map<string, Held>();

/** The address of a database of the server that stands for this folder. */
function serverPlaceOf(folder: string): string {
  for (const [path, { place, anchor }] of held) {
    if (existsSync(anchor)) continue;
    place[Symbol.dispose]();
    held.delete(path);
  }
  const known = held.get(folder) ?? { place: postgresPlace(), anchor: nearest(folder) };
  held.set(folder, known);
  return known.place.url;
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}
