import { sql } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/**
 * Where a PostgreSQL installation may keep text for a while although no table has it any more, one sentence
 * each, as far as the server tells.
 */
export async function keptByServer(tx: Tx): Promise<string[]> {
  const [row] = await tx.all<{ archive: string; replicas: number }>(
    sql`select current_setting('archive_mode') as archive, (select count(*) from pg_catalog.pg_stat_replication) as replicas`,
  );
  const { archive = "off", replicas = 0 } = row ?? {};
  return [
    "Its place in the files of the tables is free, and has its bytes until something is written there; no query reads them once those that began before have ended. `cairn doctor --rewrite` leaves none, while all others wait.",
    "The server's write-ahead log has it until its files are used again.",
    ...(archive === "off"
      ? []
      : ["The archive of the write-ahead log (archive_mode) has it for as long as you keep that."]),
    ...(replicas === 0 ? [] : [`${replicasOf(replicas)} until the purge is replayed there.`]),
    "Every backup of the server that was made before has it.",
  ];
}

const replicasOf = (count: number) =>
  count === 1 ? "A replica has it" : `${count} replicas have it`;
