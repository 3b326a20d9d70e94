import { isPlainObject } from "../../../shared/json.ts";
import { readJsonLines } from "../formats/json-lines.ts";
import { checkMap, mapEpisode } from "../formats/map-fields.ts";
import type { Importer } from "../imported.ts";

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
