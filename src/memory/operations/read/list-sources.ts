import { z } from "zod";
import { createPredicate, selectFilterFields } from "../../filters/filter-condition.ts";
import { idOf, nameField, referenceField } from "../../input/fields.ts";
import {
  countSources,
  findPassage,
  findSource,
  loadPassages,
  loadPassagesOfSource,
  loadSource,
  loadSources,
} from "../../sources/source.queries.ts";
import { passageRecord, type SourceRecord, sourceRecord } from "../../sources/source.schema.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { defineRecord } from "../define-record.ts";
import { numberedPageInput, placedOutput, wholeListInput } from "../paging.ts";

export const listSources = defineList({
  name: "list_sources",
  summary: "List stored sessions, histories and files, last read first",
  input: z.strictObject({
    kind: nameField.optional().describe("Only those of this kind: claude-code, git, file."),
    key: referenceField.optional().describe("Only the one with this key in its origin."),
    ...selectFilterFields("source"),
    ...wholeListInput,
  }),
  output: z.object({ sources: z.array(sourceRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/sources" },
  cli: { command: "list sources", group: "Inspection", example: "cairn list sources" },
  async list(context, { kind, key, ...filters }) {
    const { tx } = context;
    const filter = { kind, key, passes: await createPredicate("source", context, filters) };
    const rows = new Map<number, SourceRecord>();
    return createRecordList({
      order: "sources",
      page: filters,
      async positions(part) {
        const found = await loadSources(tx, { filter, page: part });
        for (const row of found) rows.set(getNumber(row.id), row);
        return found.map(({ updated_at, id }) => [updated_at, getNumber(id)] as const);
      },
      count: () => countSources(tx, filter),
      load: listByNumber(async (_tx, numbers) =>
        numbers.flatMap((number) => rows.get(number) ?? []),
      ),
    });
  },
  answer: (sources, numbers) => ({ sources, ...numbers }),
});

const getNumber = (id: string) => Number(id.slice(id.indexOf(":") + 1));

export const getSource = defineRecord({
  name: "get_source",
  summary: "Show a source with its passages in order",
  input: z.strictObject({ source_id: idOf("source").describe("source:1"), ...numberedPageInput }),
  output: z.object({
    source: sourceRecord,
    passages: z.array(passageRecord),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/sources/{source_id}" },
  cli: { command: false, example: "cairn show source:1" },
  of: "source_id",
  find: findSource,
  async show(tx, { id: number }, { page, limit }) {
    const source = await loadSource(tx, number);
    const passages = await loadPassagesOfSource(tx, number, { limit, offset: (page - 1) * limit });
    return { source, passages, total: source.passages, page, limit };
  },
});

export const getPassage = defineRecord({
  name: "get_passage",
  summary: "Show a passage: a turn, a commit or a section of a source",
  input: z.strictObject({ passage_id: idOf("passage").describe("passage:12") }),
  output: passageRecord,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/passages/{passage_id}" },
  cli: { command: false, example: "cairn show passage:12" },
  of: "passage_id",
  find: findPassage,
  async show(tx, { id: number }, { passage_id: id }) {
    const [passage] = await loadPassages(tx, [number]);
    if (passage === undefined) throw new Error(`${id} was found and could not be read.`);
    return passage;
  },
});
