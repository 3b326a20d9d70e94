import { z } from "zod";
import { countEntities, listEntityPositions, loadEntities } from "../../entities/entity.queries.ts";
import { entityRecord } from "../../entities/entity.schema.ts";
import { createPredicate, selectFilterFields } from "../../filters/filter-condition.ts";
import type { FilterInput } from "../../filters/resolve-filter.ts";
import { ENTITY_TYPES } from "../../input/parse-entity.ts";
import { createRecordList, defineList } from "../define-list.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  limitField,
  listOutput,
  type PageOfInput,
  placedOutput,
  wholeListInput,
} from "../paging.ts";

const entityTypeField = z.preprocess(
  (value) => (typeof value === "string" ? value.toLowerCase() : value),
  z.enum(ENTITY_TYPES),
);

const EXCLUDED_FILTERS = ["type"] as const;

const { type: _, ...filters } = selectFilterFields("entity");

/** The MCP tool: the most mentioned entities. */
export const entities = defineList({
  name: "entities",
  summary: "List entities with their mentions, most mentioned first",
  input: z.strictObject({
    entity_type: entityTypeField.optional(),
    ...filters,
    limit: limitField.default(50),
  }),
  output: z.object({ entities: z.array(entityRecord), ...listOutput }),
  mcp: { fieldsOfPrograms: Object.keys(filters) },
  rest: false,
  cli: {
    command: "list entities",
    short: { entity_type: "t" },
    example: "cairn list entities --entity-type file",
  },
  list: (context, { entity_type: type, ...input }) => loadEntityList(context, { type, ...input }),
  answer: (entities, { next_cursor: _next, ...numbers }) => ({ entities, ...numbers }),
});

/** The REST route: all entities. */
export const listEntities = defineList({
  name: "list_entities",
  summary: "List all entities with their mentions",
  input: z.strictObject({ type: entityTypeField.optional(), ...filters, ...wholeListInput }),
  output: z.object({ entities: z.array(entityRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities" },
  cli: { command: false },
  list: loadEntityList,
  answer: (entities, numbers) => ({ entities, ...numbers }),
});

type EntityListRequest = PageOfInput &
  FilterInput & { readonly type?: z.output<typeof entityTypeField> | undefined };

async function loadEntityList(context: OperationContext, { type, ...input }: EntityListRequest) {
  const { tx } = context;
  const filter = {
    type,
    passes: await createPredicate("entity", context, input, EXCLUDED_FILTERS),
  };
  return createRecordList({
    order: "entities",
    page: input,
    positions: (part) => listEntityPositions(tx, filter, part),
    count: () => countEntities(tx, filter),
    load: loadEntities,
  });
}
