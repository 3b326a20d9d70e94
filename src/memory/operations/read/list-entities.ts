import { z } from "zod";
import { wholeList } from "../../context/whole-list.ts";
import { countEntities, listEntityPlaces, loadEntities } from "../../entities/entity.queries.ts";
import { entityRecord } from "../../entities/entity.schema.ts";
import { entityTypeField } from "../../entities/entity-type-field.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFieldsFor } from "../../filters/filter-fields.ts";
import { defineOperation } from "../define-operation.ts";
import {
  limitField,
  listNumbers,
  listOutput,
  placedOutput,
  placesOf,
  wholeInput,
} from "../paging.ts";

// Entities have nine types, which the field itself checks.
const { type: _, ...filters } = filterFieldsFor("entity");

/** The tool: the most mentioned ones. */
export const entities = defineOperation({
  name: "entities",
  summary: "List entities with their mentions, most mentioned first",
  kind: "read",
  input: z.strictObject({
    entity_type: entityTypeField.optional(),
    ...filters,
    limit: limitField.default(50),
  }),
  output: z.object({ entities: z.array(entityRecord), ...listOutput }),
  mcp: { fieldsOfPrograms: Object.keys(filters) },
  rest: { method: "GET", path: "/entities/top" },
  cli: {
    hidden: true,
    noun: "entities",
    short: { entity_type: "t" },
    example: "cairn entities --entity-type file",
  },
  async run(context, { entity_type: type, ...input }) {
    const { tx } = context;
    const filter = { type, passes: await passing("entity", context, input) };
    const places = await listEntityPlaces(tx, filter, { limit: input.limit, offset: 0 });
    return {
      entities: await loadEntities(tx, places),
      ...listNumbers(input, await countEntities(tx, filter)),
    };
  },
});

/** The route: all of them. */
export const listEntities = defineOperation({
  name: "list_entities",
  summary: "List all entities with their mentions",
  kind: "read",
  input: z.strictObject({ type: entityTypeField.optional(), ...filters, ...wholeInput }),
  output: z.object({ entities: z.array(entityRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities" },
  cli: { command: false },
  async run(context, { type, ...input }) {
    const { tx, options } = context;
    const filter = { type, passes: await passing("entity", context, input) };
    const { places, next } = await placesOf(input, options, {
      order: "entities",
      load: (page) => listEntityPlaces(tx, filter, page),
    });
    const total = await countEntities(tx, filter);
    return {
      entities: await wholeList(context, places, loadEntities),
      ...listNumbers(input, total, options),
      ...next,
    };
  },
});
