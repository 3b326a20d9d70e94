import { sql } from "drizzle-orm";
import { z } from "zod";
import { selectRows } from "../../../database/index.ts";
import { invalidInput, stateConflict } from "../../../shared/errors.ts";
import { loadConcepts } from "../../concepts/concept.queries.ts";
import { buildFilterCondition, filterFields } from "../../filters/filter-condition.ts";
import { FILTERED_TABLES } from "../../filters/filtered-kinds.ts";
import { type RecordFilter, resolveFilter } from "../../filters/resolve-filter.ts";
import { nameListField } from "../../input/fields.ts";
import { episodeId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";
import { deleteItem } from "./delete.ts";
import { label, unlabel } from "./label.ts";
import { markProcessed } from "./mark-processed.ts";
import { setTopic } from "./topics.ts";

const MATCHED_KINDS = ["episode", "concept"] as const;

const ACTIONS = ["processed", "delete", "label", "unlabel", "topic"] as const;

const BATCH_SIZE = 500;

export const changeMatching = defineOperation({
  name: "change_matching",
  summary:
    "Review, delete, label or assign to a topic all matching episodes and concepts, in one change",
  description: "Takes the filters of `items`. One `undo` reverts all of it.",
  kind: "write",
  input: z.strictObject({
    action: z.enum(ACTIONS),
    value: z
      .string()
      .max(1024)
      .optional()
      .describe("key=value for label and unlabel, the topic for topic; empty for none."),
    kinds: nameListField(MATCHED_KINDS)
      .optional()
      .describe(`${MATCHED_KINDS.join(", ")}; default: both.`),
    ...filterFields,
    expected: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe("Required number of matches; otherwise nothing is changed."),
    dry_run: z.boolean().default(false).describe("Only count the matches."),
  }),
  output: z.object({ count: z.number().int(), dry_run: z.boolean() }),
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/items/change" },
  confirm: (_input, { count }) => `Changed ${count} items. Undo with \`cairn undo\`.`,
  cli: {
    command: false,
    example: "cairn list episodes --session s1 --format '{id}' | cairn label - area=billing",
  },
  async run(context, { action, value, kinds = [], expected, dry_run: dryRun, ...filters }) {
    const change = { action, pair: parsePair(action, value), value };
    const requests = kinds.length > 0 ? kinds : MATCHED_KINDS;
    const able = action === "processed" ? requests.filter((kind) => kind === "episode") : requests;
    const filter = await resolveFilter(context, filters);
    const ids: string[] = [];
    for (const kind of new Set(able)) {
      for (const id of await findMatchingIds(context, kind, filter)) ids.push(id);
    }
    if (expected !== undefined && expected !== ids.length) {
      throw stateConflict(
        `expected: ${ids.length} items match these filters, not ${expected}; check the matches and retry`,
      );
    }
    if (!dryRun) await changeAll(context, ids, change);
    return { count: ids.length, dry_run: dryRun };
  },
});

async function findMatchingIds(
  { tx }: OperationContext,
  kind: (typeof MATCHED_KINDS)[number],
  filter: RecordFilter,
): Promise<string[]> {
  const condition = buildFilterCondition(kind, filter);
  if (condition === undefined) return [];
  const { from, number } = FILTERED_TABLES[kind];
  const rows = await selectRows<[number: number]>(
    tx,
    sql`select ${number} from ${from} where ${condition} order by 1`,
  );
  const numbers = rows.map(([one]) => one);
  if (kind === "episode") return numbers.map(episodeId);
  const ids: string[] = [];
  for (let at = 0; at < numbers.length; at += BATCH_SIZE) {
    const records = await loadConcepts(tx, numbers.slice(at, at + BATCH_SIZE));
    for (const { id } of records) ids.push(id);
  }
  return ids;
}

interface Change {
  readonly action: (typeof ACTIONS)[number];
  readonly value: string | undefined;
  readonly pair: { readonly key: string; readonly value: string };
}

async function changeAll(
  context: OperationContext,
  ids: readonly string[],
  { action, value, pair }: Change,
): Promise<void> {
  if (action === "processed") {
    if (ids.length > 0) await markProcessed.run(context, { ids: [...ids] });
    return;
  }
  for (const id of ids) {
    if (action === "delete") await deleteItem.run(context, { id });
    if (action === "label") await label.run(context, { id, ...pair });
    if (action === "unlabel") await unlabel.run(context, { id, ...pair });
    if (action === "topic") await setTopic.run(context, { id, topic: value ?? "" });
  }
}

function parsePair(action: Change["action"], text = ""): Change["pair"] {
  if (action !== "label" && action !== "unlabel") return { key: "", value: "" };
  const at = text.indexOf("=");
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && key !== "" && value !== "") return { key, value };
  throw invalidInput("value: must be a label as key=value");
}
