import { CairnError } from "../../kernel/errors.ts";
import type { Connection } from "./open-connection.ts";

/** Stands in the header of every database of cairn, so that other programs' files are told apart. */
export const APPLICATION_ID = 0x6361_6972;

/** Tables that no other program is likely to have; databases made before the mark have them all. */
const SIGNATURE = [
  "cluster_entities",
  "concept_sources",
  "entity_relations",
  "episode_entities",
  "idempotency_keys",
];

export class ForeignDatabase extends CairnError {
  constructor() {
    super(
      "conflict",
      "The file is a SQLite database of another program, and was left as it is. Move it away or choose another name with --db.",
    );
  }
}

/** Whether the header names cairn. */
export function isMarked(connection: Connection): boolean {
  return applicationId(connection) === APPLICATION_ID;
}

/**
 * Throws conflict for a database of another program. One that is empty may become cairn's, and one
 * that was made before databases were marked is known by its tables, also where some are lost.
 */
export function requireOurs(connection: Connection): void {
  const mark = applicationId(connection);
  if (mark === APPLICATION_ID) return;
  const tables = connection
    .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => name);
  const known = SIGNATURE.filter((name) => tables.includes(name));
  if (mark === 0 && (tables.length === 0 || known.length > SIGNATURE.length / 2)) return;
  throw new ForeignDatabase();
}

function applicationId(connection: Connection): number {
  return Number(connection.pragma("application_id", { simple: true }));
}
