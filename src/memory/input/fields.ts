import { z } from "zod";
import { type IdKind, withMeta } from "../../shared/fields.ts";
import {
  hasProtoKey,
  isNestedDeeper,
  isPlainObject,
  type JsonObject,
  MAX_JSON_DEPTH,
  PROTO_KEY,
  tryParseJson,
} from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseList } from "../../shared/parse-field.ts";
import { toWellFormedText } from "../../shared/text.ts";
import { parseTimestamp } from "../../shared/time.ts";
import { INPUT_LIMITS } from "./limits.ts";
import { parseEntityList } from "./parse-entity.ts";
import { parseLabels } from "./parse-labels.ts";

const DAY_PATTERN = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
const TIME_OF_DAY_PATTERN = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,9})?)?";
const ZONE_PATTERN = "(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?";

const NOT_BLANK = { minLength: 1, pattern: "\\S" };

export const nameField = wellFormed(INPUT_LIMITS.nameChars, "a shorter text")
  .pipe(z.string().trim().min(1, "must not be blank"))
  .meta(NOT_BLANK);

export const referenceField = wellFormed(INPUT_LIMITS.referenceChars, "a shorter text");

export const noteField = withMeta(wellFormed(INPUT_LIMITS.noteChars, "a shorter text"), {
  longText: true,
});

/** Stored unchanged, never blank; the maximum size is a setting. */
export const contentField = withMeta(
  z
    .string()
    .overwrite(toWellFormed)
    .refine((text) => text.trim() !== "", "must not be blank")
    .meta(NOT_BLANK),
  { longText: true },
);

export const summaryField = withMeta(z.string().overwrite(toWellFormed), { longText: true });

export const strengthField = z.number().min(0).max(1);
export const countField = z.number().int().min(0).max(1_000_000_000);

/** `a, b` or an array; entries are trimmed and empty ones skipped. */
export const listField = z
  .union([z.string(), z.array(z.string())], "must be comma-separated text or an array of strings")
  .transform((value) => [...new Set(parseList(value, "list"))])
  .refine(
    hasAtMost(INPUT_LIMITS.listEntries),
    `must have at most ${INPUT_LIMITS.listEntries} entries`,
  );

export function listOfAtLeast(count: number): { anyOf: object[] } {
  const pattern = ["[^,\\s]", ...Array.from({ length: count - 1 }, () => ",.*[^,\\s]")].join(".*");
  const items = { type: "string", pattern: "[^,\\s]" };
  return {
    anyOf: [
      { type: "string", pattern },
      { type: "array", items, minItems: count },
    ],
  };
}

export const idField = z.string().min(1, "must not be empty").max(INPUT_LIMITS.referenceChars);

export const getIds = (names: IdKind) =>
  withMeta(
    listField.refine((ids) => ids.length > 0, "must name at least one id").meta(listOfAtLeast(1)),
    { names },
  );

/** `change:0` is the state before the first change. */
export const changeIdField = idField.meta({ pattern: "^change:(0|[1-9][0-9]{0,14})$" });

export const idOf = (names: IdKind) => withMeta(idField, { names });

export const topicField = withMeta(nameField, { names: "topic" });

/** `type:name, type:name` or an array, parsed and deduplicated. */
export const entitiesField = withMeta(
  z
    .union([z.string(), z.array(z.string())], "must be comma-separated text or an array of strings")
    .transform((value, context) => tryParse(context, () => parseEntityList(value)))
    .refine(
      hasAtMost(INPUT_LIMITS.itemNames),
      `must have at most ${INPUT_LIMITS.itemNames} entities`,
    ),
  { short: "e" },
);

/** `key=value, key=value`, an array of those or of `{key, value}`, or an object. */
const labelPairs = z
  .union(
    [
      z.string(),
      z.array(z.union([z.string(), z.strictObject({ key: z.string(), value: z.string() })])),
      z.record(z.string(), z.string()),
    ],
    "must be comma-separated key=value text, an array or an object of strings",
  )
  .transform((value, context) => tryParse(context, () => parseLabels(value)))
  .refine(hasAtMost(INPUT_LIMITS.itemNames), `must have at most ${INPUT_LIMITS.itemNames} labels`);

export const labelsField = withMeta(labelPairs, { short: "l" });

export const labelFilterField = withMeta(
  labelsField.refine(
    hasAtMost(INPUT_LIMITS.labelFilters),
    `must name at most ${INPUT_LIMITS.labelFilters} labels`,
  ),
  { queryLabel: "label" },
);

export const notLabelFilterField = withMeta(
  labelPairs.refine(
    hasAtMost(INPUT_LIMITS.labelFilters),
    `must name at most ${INPUT_LIMITS.labelFilters} labels`,
  ),
  { queryLabel: "not_label" },
);

/** A JSON object or its JSON text. */
export const metadataField = z
  .union([z.string(), z.record(z.string(), z.unknown())], "must be a JSON object or its text")
  .transform((value, context) => {
    const parsed = typeof value === "string" ? tryParseJson(value) : value;
    if (isNestedDeeper(parsed)) {
      context.addIssue({
        code: "custom",
        message: `is nested deeper than ${MAX_JSON_DEPTH} levels`,
      });
      return z.NEVER;
    }
    if (hasProtoKey(parsed)) {
      context.addIssue({
        code: "custom",
        message: `cannot have a key "${PROTO_KEY}"; choose another name for it`,
      });
      return z.NEVER;
    }
    if (isPlainObject(parsed)) return parsed as JsonObject;
    context.addIssue({
      code: "custom",
      message: 'must be a JSON object such as {"branch": "main"}',
    });
    return z.NEVER;
  });

/** ISO date or datetime; a date means the start of that day. */
export const startTimeField = createTimeField("start");
/** ISO date or datetime; a date means the end of that day. */
export const endTimeField = createTimeField("end");

export const untilField = endTimeField
  .optional()
  .describe("When the old fact ended; default: when its successor began.");

export const idempotencyKeyField = withMeta(z.string().min(1).max(INPUT_LIMITS.nameChars), {
  ofCall: true,
}).describe("Repeating a request with the same key returns the first result.");

export const collisionsField = withMeta(z.enum(["closest", "all"]), { ofCall: true }).describe(
  "Collisions of a fact to return: the five closest in wording (default), or all.",
);

function hasAtMost(count: number): (entries: readonly unknown[]) => boolean {
  return (entries) => entries.length <= count;
}

function createTimeField(dateAlone: "start" | "end") {
  return z
    .string()
    .meta({ pattern: `^${DAY_PATTERN}(T${TIME_OF_DAY_PATTERN}${ZONE_PATTERN})?$` })
    .transform((text, context) => tryParse(context, () => parseTimestamp(text, dateAlone)));
}

function wellFormed(maxChars: number, cure: string) {
  return z
    .string()
    .overwrite(toWellFormed)
    .max(maxChars, `must have at most ${maxChars} characters; give ${cure}`);
}

/** Line endings remain unchanged. */
function toWellFormed(text: string): string {
  return toWellFormedText(text, { keepsLineEnds: true });
}

/** Reports a parser's error as the field's issue. */
function tryParse<T>(context: z.RefinementCtx, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    context.addIssue({
      code: "custom",
      message: error instanceof Error ? error.message : String(error),
    });
    return z.NEVER;
  }
}

/** Accepts known names. Errors suggest the nearest one. */
export function nameListField<const Name extends string>(names: readonly Name[]) {
  const named = listField.transform((values, context): Name[] =>
    values.flatMap((name) => {
      const known = names.find((one) => one === name || `${one}s` === name);
      if (known !== undefined) return [known];
      context.addIssue({
        code: "custom",
        message: `"${name}" is not one of ${names.join(", ")}.${didYouMean(name, names)}`,
      });
      return [];
    }),
  );
  const one = `(${names.join("|")})s?`;
  const pattern = `^ *(${one})?( *, *(${one})?)* *$`;
  const items = { type: "string", pattern: `^${one}$` };
  return named.meta({
    anyOf: [
      { type: "string", pattern },
      { type: "array", items },
    ],
  });
}
