import { CairnError } from "../../shared/errors.ts";
import type { Connection } from "./open-connection.ts";

/** Marks the header of every cairn database, so that files of other programs can be told apart. */
export const APPLICATION_ID = 0x6361_6972;

/** Tables that hardly any other program has. Databases from before the mark have all of them. */
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

/** True if the file's header has cairn's mark. */
export function isMarked(connection: Connection): boolean {
  return applicationId(connection) === APPLICATION_ID;
}

/**
 * Throws conflict for a database of another program. An empty one may become cairn's. One from before the
 * mark is recognised by its tables, even if some are lost.
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
