import { z } from "zod";
import { messageOf } from "../../shared/errors.ts";
import { parseList } from "../../shared/parse-field.ts";
import type { FilterName } from "../filters/filter-table.ts";
import { namesOf } from "../input/names-of.ts";
import { parseEntityList } from "../input/parse-entity.ts";
import { parseLabels } from "../input/parse-labels.ts";

/** What a rule may be about; the first two unless it says otherwise. */
export const RETAINED_KINDS = ["episode", "concept", "source"] as const;

export type RetainedKind = (typeof RETAINED_KINDS)[number];

export const RETENTION_ACTIONS = ["delete", "purge"] as const;

export const ruleNameField = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    "The name of a rule is 1 to 64 lower-case letters, digits, `.`, `_` or `-`.",
  );

export const olderThanField = z
  .string()
  .regex(
    /^[1-9]\d{0,4}(?:h|d|w|mo|y)$/,
    "must be an age such as 180d: a number, then h, d, w, mo or y",
  );

/** The field of a rule for each filter that it may take; their meaning is that of the filters. */
const FILTER_OF = {
  types: "type",
  by: "by",
  labels: "labels",
  notLabels: "not_labels",
  entities: "entity",
  topics: "topic",
  sessions: "session",
} as const satisfies Readonly<Record<string, FilterName>>;

const list = texts((value) => parseList(value, "list"));

const retentionRule = z
  .strictObject({
    databases: list.optional().describe("Names of databases; none: all."),
    kinds: namesOf(RETAINED_KINDS)
      .optional()
      .describe("episode, concept, source; none: the first two."),
    types: list.optional(),
    by: list.optional(),
    labels: texts(parseLabels).optional(),
    notLabels: texts(parseLabels).optional(),
    entities: texts(parseEntityList).optional(),
    topics: list.optional(),
    sessions: list.optional(),
    olderThan: olderThanField,
    // biome-ignore lint/suspicious/noThenProperty: it holds a word, so that nothing takes it for a promise.
    then: z.enum(RETENTION_ACTIONS),
  })
  .refine(
    ({ olderThan: _age, then: _action, kinds = [], ...narrows }) =>
      kinds.length > 0 || Object.values(narrows).some((value) => value !== undefined),
    "must say what it is about: databases, kinds, types, by, labels, notLabels, entities, topics or sessions; a rule about everything names its databases",
  );

export type RetentionRule = z.output<typeof retentionRule>;

/** What goes by itself when it is old; the names are the authors of the changes, behind `rule:`. */
export const retentionRulesSetting = z
  .record(ruleNameField, retentionRule)
  .default({})
  .describe(
    'What goes by itself when it is old, by the name of the rule: `{"old-chat": {"databases": ["shop"], "labels": "area=chat", "olderThan": "180d", "then": "delete"}}`. Fields as the filters: types, by, labels, notLabels, entities, topics, sessions; kinds adds `source`. `cairn serve` does it once a day, `cairn retain` at once.',
  );

/** The databases that the rule names; undefined: it is about all. */
export function databasesOf({ databases }: RetentionRule): readonly string[] | undefined {
  return databases === undefined ? undefined : parseList(databases, "databases");
}

/** The input of the operation `retain` for this rule. */
export function inputOfRule(rule: string, settings: RetentionRule) {
  const filters = Object.entries(FILTER_OF).flatMap(([field, filter]) => {
    const given = settings[field as keyof typeof FILTER_OF];
    return given === undefined ? [] : [[filter, given] as const];
  });
  return {
    rule,
    ...(settings.kinds !== undefined && settings.kinds.length > 0 && { kinds: settings.kinds }),
    ...(Object.fromEntries(filters) as Record<
      (typeof FILTER_OF)[keyof typeof FILTER_OF],
      string[]
    >),
    older_than: settings.olderThan,
    action: settings.then,
  };
}

/** An error of the operation `retain`, with the field as the settings name it. */
export function inWordsOfRule(rule: string, message: string): string {
  const [field] =
    Object.entries(FILTER_OF).find(([, filter]) => message.startsWith(`${filter}: `)) ?? [];
  if (field === undefined) return `retentionRules.${rule}: ${message}`;
  return `retentionRules.${rule}.${field}${message.slice(message.indexOf(":"))}`;
}

/**
 * Text with commas or a list of texts, kept as it was written once it can be read. One that names nothing
 * would narrow nothing.
 */
function texts(read: (value: string | string[]) => readonly unknown[]) {
  return z
    .union([z.string(), z.array(z.string())], "must be comma-separated text or a list of texts")
    .superRefine((value, context) => {
      try {
        if (read(value).length > 0) return;
        context.addIssue({ code: "custom", message: "must not be empty; leave it out instead" });
      } catch (error) {
        context.addIssue({ code: "custom", message: messageOf(error) });
      }
    });
}
