import { invalidInput, isCairnError } from "../../../../shared/errors.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { readJsonDocument } from "../../formats/json-records.ts";
import { isSqlite, SqliteFile } from "../../formats/sqlite-file.ts";
import type { ImportInput } from "../../import-input.ts";
import type { SkippedRecord } from "../../imported-record.ts";
import { REMIND_TABLES, type RemindTables } from "./remind-records.ts";

export interface OpenRemind extends Disposable {
  readonly tables: RemindTables;
  readonly skipped: readonly SkippedRecord[];
}

/** Opens a SQLite file, a folder of JSON files (`.remind/memory`), or an export. */
export async function openRemind(input: ImportInput): Promise<OpenRemind> {
  if (input.isFolder) return openFolder(input);
  return (await isSqlite(input)) ? openDatabase(input) : openExport(input);
}

function openDatabase(input: ImportInput): OpenRemind {
  const file = new SqliteFile(input);
  if (!file.has("episodes") || !file.has("concepts")) {
    file[Symbol.dispose]();
    throw invalidInput(`file: ${input.label} is not a remind database: no episodes and concepts`);
  }
  return {
    tables: tablesFrom((name) => file.rows(name)),
    skipped: [],
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Reads `<table>/<id>.json` files, with the row under `record` or at the top level. */
async function openFolder(folder: ImportInput): Promise<OpenRemind> {
  const rows = new Map<string, unknown[]>();
  const skipped: SkippedRecord[] = [];
  for (const file of await folder.files([".json"])) {
    const parts = file.label.split("/");
    const table = parts.at(-2) ?? "";
    if (!REMIND_TABLES.some((name) => name === table)) continue;
    try {
      const document = await readJsonDocument(file);
      const row = isPlainObject(document) && "record" in document ? document.record : document;
      const existing = rows.get(table);
      if (existing === undefined) rows.set(table, [row]);
      else existing.push(row);
    } catch (error) {
      if (!isCairnError(error)) throw error;
      skipped.push({ kind: "skipped", where: file.label, reason: error.message });
    }
  }
  if (rows.size === 0) {
    throw invalidInput(`file: ${folder.label} contains no remind records; pass its memory folder`);
  }
  return { tables: tablesFrom((name) => rows.get(name) ?? []), skipped, [Symbol.dispose]() {} };
}

/** Versions up to 3 list records; version 4 has rows by table under `records`. */
async function openExport(input: ImportInput): Promise<OpenRemind> {
  const document = await readJsonDocument(input);
  const exported = isPlainObject(document) ? document : {};
  const tables = isPlainObject(exported.records) ? exported.records : exported;
  if (!Array.isArray(tables.episodes)) {
    throw invalidInput(`file: ${input.label} is not a remind export: no "episodes"`);
  }
  const getList = (name: string): readonly unknown[] => {
    const list = tables[name];
    return Array.isArray(list) ? list : [];
  };
  return { tables: tablesFrom(getList), skipped: [], [Symbol.dispose]() {} };
}

function tablesFrom(rows: (name: string) => Iterable<unknown>): RemindTables {
  return {
    topics: rows("topics"),
    mentions: rows("mentions"),
    labels: rows("labels"),
    episodes: rows("episodes"),
    facts: rows("facts"),
    concepts: rows("concepts"),
    evidence: rows("evidence"),
    conflicts: rows("conflicts"),
    entity_relations: rows("entity_relations"),
  };
}
