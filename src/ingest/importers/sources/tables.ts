import { pipeline } from "node:stream";
import { parse } from "csv-parse";
import { invalidInput, isCairnError, messageOf } from "../../../shared/errors.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { readJsonLines } from "../formats/json-lines.ts";
import { checkMap, mapEpisode } from "../formats/map-fields.ts";
import type { Importer } from "../imported-record.ts";

export const jsonl: Importer = {
  name: "jsonl",
  summary: "JSON lines of any shape; --map content=FIELD maps the fields",
  recognizes: (input) => Promise.resolve(/\.(jsonl|ndjson)$/i.test(input.name)),
  async *read(input, { map = {} }) {
    checkMap(map);
    for await (const item of readJsonLines(input)) {
      if (item.kind === "skipped") yield item;
      else if (isPlainObject(item.value)) yield mapEpisode(item.value, item.where, map);
      else yield { kind: "skipped", where: item.where, reason: "is not a JSON object" };
    }
  },
};

export const csv: Importer = {
  name: "csv",
  summary: "CSV or TSV with a header row; --map content=COLUMN maps the columns",
  recognizes: (input) => Promise.resolve(/\.(csv|tsv)$/i.test(input.name)),
  async *read(input, { map = {} }) {
    checkMap(map);
    const rows = parse({
      bom: true,
      columns: true,
      delimiter: [",", ";", "\t"],
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    });
    // Input errors end the rows with the same error, which the loop throws.
    pipeline(input.chunks(), rows, () => undefined);
    try {
      for await (const row of rows as AsyncIterable<{ record: unknown; info: { lines: number } }>) {
        const where = `line ${row.info.lines}`;
        if (isPlainObject(row.record)) yield mapEpisode(row.record, where, map);
      }
    } catch (error) {
      if (isCairnError(error)) throw error;
      throw invalidInput(`file: ${input.label} is not CSV: ${messageOf(error)}`);
    }
  },
};
