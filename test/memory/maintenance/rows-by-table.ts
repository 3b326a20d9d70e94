import { exportDatabase, type MemoryEngine } from "../../../src/memory/index.ts";
import { EXPORTED_TABLES } from "../../../src/memory/maintenance/exported-tables.ts";

export type Row = Readonly<Record<string, unknown>>;

export async function rowsByTable(memory: MemoryEngine): Promise<Map<string, Row[]>> {
  const chunks: string[] = [];
  await exportDatabase(memory, async (chunk) => void chunks.push(chunk));
  const rows = new Map<string, Row[]>(EXPORTED_TABLES.map(({ name }) => [name, []]));
  for (const line of chunks.join("").trim().split("\n")) {
    const { table, row } = JSON.parse(line) as { table?: string; row?: Row };
    if (table !== undefined && row !== undefined) rows.get(table)?.push(row);
  }
  return rows;
}
