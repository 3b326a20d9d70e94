import type { Tx } from "../../../database/index.ts";
import { EventLoopYielder, yieldToEventLoop } from "../../../shared/async.ts";
import { groupBy } from "../../../shared/collections.ts";
import type { JsonObject } from "../../../shared/json.ts";
import type { FieldChange } from "../../events/event.schema.ts";
import type { EventKind } from "../../events/event.table.ts";
import type { NewEvent } from "../../events/event-items.ts";
import { describeFieldsOfRows } from "../describe-rows.ts";
import type { OwnerKind } from "../logged-tables.ts";
import type { RowEffect } from "./row-effects.ts";

export interface ItemEffect {
  readonly kind: EventKind;
  readonly subjectType: OwnerKind;
  readonly subjectId: string;
  readonly payload: JsonObject;
  readonly changed: readonly FieldChange[];
}

/** Translates row changes into item events of the change feed. Soft columns have none. */
export async function createItemEffects(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<ItemEffect[]> {
  const described = await describeFieldsOfRows(
    tx,
    effects.map(({ table, key, action, values, now }) => ({
      table,
      key,
      action,
      before: action === "delete" ? {} : now,
      after: values,
    })),
  );
  const rows = effects.map((effect, index) => ({
    effect,
    subjectId: described[index]?.subject ?? "",
    changed: described[index]?.changed ?? [],
  }));
  await yieldToEventLoop();
  const groups = groupBy(rows, ({ effect, subjectId }) => `${effect.table.owner} ${subjectId}`);
  const items: ItemEffect[] = [];
  const turn = new EventLoopYielder();
  for (const ofItem of groups.values()) {
    items.push(...createEffectsOfItem(ofItem));
    await turn.yieldIfDue();
  }
  return items;
}

interface ItemRow {
  readonly effect: RowEffect;
  readonly subjectId: string;
  readonly changed: readonly FieldChange[];
}

function createEffectsOfItem(rows: readonly ItemRow[]): ItemEffect[] {
  const [first] = rows;
  if (first === undefined) return [];
  const subject = { subjectType: first.effect.table.owner, subjectId: first.subjectId };
  const own = rows.find(({ effect }) => effect.table.field === undefined);
  if (own !== undefined && own.effect.action !== "update") {
    return kindOfLifecycleChange(own.effect).map((kind) => ({
      ...subject,
      kind,
      payload: {},
      changed: [],
    }));
  }
  const found: ItemEffect[] = [];
  const left: FieldChange[] = [];
  if (own !== undefined) {
    const { kind, payload, rest } = kindOfUpdate(own);
    if (kind !== undefined) found.push({ ...subject, kind, payload, changed: own.changed });
    left.push(...(kind === undefined ? own.changed : rest));
  }
  for (const { effect, changed } of rows.filter((row) => row !== own)) {
    if (effect.table.field !== "labels") left.push(...changed);
    else {
      const [key = "", value = ""] = effect.key.slice(1).map(String);
      const kind = effect.action === "delete" ? "unlabeled" : "labeled";
      found.push({ ...subject, kind, payload: { key, value }, changed });
    }
  }
  const fields = [...new Set(left.map(({ field }) => field))];
  if (fields.length > 0) {
    found.push({ ...subject, kind: "updated", payload: { fields }, changed: left });
  }
  return found;
}

/** A row restored as deleted was reported as deleted before. */
function kindOfLifecycleChange({ table, action, values }: RowEffect): EventKind[] {
  // Entities and passages have no events of their own.
  if (table.owner === "entity" || table.owner === "passage") return [];
  if (action === "delete") return ["deleted"];
  if (table.owner === "conflict") return ["conflict_opened"];
  return [values.deleted_at === null || values.deleted_at === undefined ? "restored" : "updated"];
}

function kindOfUpdate({ effect, changed }: ItemRow): {
  kind: EventKind | undefined;
  payload: JsonObject;
  rest: readonly FieldChange[];
} {
  const { values, table } = effect;
  const rest = changed.filter(({ field }) => !(field in UPDATE_KINDS));
  const none = { kind: undefined, payload: {}, rest };
  if ("deleted_at" in values) {
    return { ...none, kind: values.deleted_at === null ? "restored" : "deleted" };
  }
  if (table.owner === "conflict" && typeof values.status === "string") {
    return { ...none, kind: CONFLICT_KINDS[values.status], rest: [] };
  }
  if (table.owner === "proposal" && typeof values.status === "string") {
    return { ...none, kind: PROPOSAL_KINDS[values.status], rest: [] };
  }
  if (table.owner === "fact" && values.status === "superseded") {
    return { ...none, kind: "superseded", rest: [] };
  }
  if (values.processed === 1) return { ...none, kind: "processed" };
  return { ...none, rest: changed };
}

const UPDATE_KINDS: Readonly<Record<string, true>> = { deleted_at: true, processed: true };

const CONFLICT_KINDS: Readonly<Record<string, EventKind>> = {
  open: "conflict_opened",
  resolved: "conflict_resolved",
  dismissed: "conflict_dismissed",
};

const PROPOSAL_KINDS: Readonly<Record<string, EventKind>> = {
  open: "proposed",
  accepted: "accepted",
  rejected: "rejected",
};

export function toEvents(effects: readonly ItemEffect[], undoOf: readonly string[]): NewEvent[] {
  return effects.map(({ kind, subjectType, subjectId, payload }) => ({
    kind,
    subjectType,
    subjectId,
    payload: { op: "undo", ...payload, undo_of: [...undoOf] },
  }));
}

export function createInverseChangeset(
  effects: readonly ItemEffect[],
  editable: readonly string[],
): string {
  return effects.flatMap((effect) => formatInverse(effect, editable)).join("\n");
}

function formatInverse(effect: ItemEffect, editable: readonly string[]): string[] {
  const { kind, subjectId: id, payload } = effect;
  if (kind === "deleted") return [`delete id=${id}`];
  if (kind === "restored") return [`restore id=${id}`];
  if (kind === "processed") return [`processed ids=${id}`];
  if (kind === "labeled" || kind === "unlabeled") {
    const op = kind === "labeled" ? "label" : "unlabel";
    return [`${op} id=${id} key=${quoteValue(payload.key)} value=${quoteValue(payload.value)}`];
  }
  if (kind !== "updated") return [`# ${id}: ${kind.replace("_", " ")} again`];
  return effect.changed.map(({ field, before, after }) =>
    editable.includes(field) && typeof after !== "object"
      ? `update id=${id} ${field}=${quoteValue(after)}`
      : `# ${id}: ${field} ${formatValue(before)} -> ${formatValue(after)}`,
  );
}

function quoteValue(value: unknown): string {
  const text = String(value ?? "");
  if (/^[\w.:/-]+$/.test(text)) return text;
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function formatValue(value: unknown): string {
  return JSON.stringify(value ?? null);
}
