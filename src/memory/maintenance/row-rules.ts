import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { isNestedDeeper, MAX_JSON_DEPTH } from "../../shared/json.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import {
  contentField,
  listField,
  metadataField,
  nameField,
  noteField,
  referenceField,
  summaryField,
} from "../input/fields.ts";
import type { MemoryLimits } from "../input/limits.ts";
import { ENTITY_TYPES, parseEntity } from "../input/parse-entity.ts";
import { parseLabels } from "../input/parse-labels.ts";
import { readDraft, wordingHash } from "../proposals/proposal.queries.ts";
import { topicSlug } from "../topics/topic-slug.ts";

type Row = Readonly<Record<string, unknown>>;

/** Applies the input rules of a field to a stored value; throws invalid_input. */
interface RowRule {
  readonly fields: z.ZodType;
  readonly sized?: readonly string[];
  check?(row: Row): void;
}

const label: RowRule = {
  fields: z.looseObject({}),
  check({ key, value }) {
    const [parsed] = parseLabels([{ key, value }]);
    if (parsed?.key !== key || parsed?.value !== value) {
      throw invalidInput("key and value must not begin or end with white space");
    }
  },
};

const ROW_RULES: Readonly<Record<string, RowRule>> = {
  topics: {
    fields: z.looseObject({ name: nameField, description: noteField }),
    check({ id }) {
      if (id !== "" && topicSlug(String(id)) === id) return;
      throw invalidInput("id must be lower-case letters and digits, joined by single hyphens");
    },
  },
  entities: {
    fields: z.looseObject({ type: z.enum(ENTITY_TYPES) }),
    check({ type, name, key }) {
      const parsed = parseEntity(`${type}:${name}`);
      if (parsed.name !== name) throw invalidInput("name must not begin or end with white space");
      if (parsed.key !== key) throw invalidInput(`key must be ${JSON.stringify(parsed.key)}`);
    },
  },
  passages: {
    fields: z.looseObject({ content: contentField, key: referenceField, asserted_by: nameField }),
    sized: ["content"],
  },
  episodes: {
    fields: z.looseObject({
      content: contentField,
      episode_type: nameField,
      metadata: metadataField.nullable(),
      source_type: nameField.nullable(),
      asserted_by: nameField.nullable(),
      source_ref: referenceField.nullable(),
      session: referenceField.nullable(),
    }),
    sized: ["content"],
    check: (row) => requireOther(row, "plan_id"),
  },
  episode_labels: label,
  proposals: {
    fields: z.looseObject({
      content: contentField,
      reason: noteField.nullable(),
      times: z.number().int().min(1),
      decided_by: nameField.nullable(),
      note: noteField.nullable(),
    }),
    sized: ["content"],
    check({ draft, content, wording_hash: hash }) {
      readDraft(draft);
      if (hash !== wordingHash(String(content))) {
        throw invalidInput("wording_hash must be that of the content");
      }
    },
  },
  concepts: {
    fields: z.looseObject({
      title: nameField,
      summary: summaryField,
      type: nameField,
      tags: listField,
      lineage_note: noteField.nullish(),
    }),
    sized: ["summary"],
    check(row) {
      requireOther(row, "merged_into");
      requireOther(row, "split_from");
    },
  },
  concept_labels: label,
  evidence: { fields: z.looseObject({ note: noteField.nullable() }) },
  relations: { fields: z.looseObject({ type: nameField }) },
  entity_relations: {
    fields: z.looseObject({ relation: nameField, context: noteField.nullable() }),
  },
};

/** Throws invalid_input if no operation could have written this row. */
export function checkRow(table: string, row: Row, limits: MemoryLimits): void {
  for (const [name, value] of Object.entries(row)) {
    if (!isNestedDeeper(value)) continue;
    throw invalidInput(`${name} is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  const rule = ROW_RULES[table];
  if (rule === undefined) return;
  const parsed = rule.fields.safeParse(row);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) throw invalidInput(`${issue.path.join(".")} ${issue.message}`);
  for (const name of rule.sized ?? []) checkTextSize(limits, name, String(row[name]));
  rule.check?.(row);
}

function requireOther(row: Row, field: string): void {
  if (row[field] !== null && row[field] === row.id) {
    throw invalidInput(`${field} must not name the row itself`);
  }
}
