import { quoteLinesForModel, quoteNameForModel } from "../../../memory/index.ts";
import { FIELD_DESCRIPTIONS } from "../../../memory/presentation/index.ts";
import { isPlainObject } from "../../../shared/json.ts";

type Fields = Readonly<Record<string, unknown>>;

const FIELD_LABELS: Readonly<Record<string, string>> = {
  ...recordFieldLabels(),
  seq: "",
  op: "",
  kind: "",
  subject_id: "",
  ts: "",
  change_id: "",
  resolved_by: "settled by ",
};

function recordFieldLabels(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FIELD_DESCRIPTIONS).flatMap(([field, { prefix }]) =>
      prefix === undefined ? [] : [[field, prefix]],
    ),
  );
}

const IMPLIED_FIELDS = new Map([
  ["subject_type", ["subject_id"]],
  ["op_index", ["op"]],
  // Session names are meaningless to a model.
  ["session", ["content"]],
  ["cluster_id", ["statement"]],
  ["episode_id", ["statement"]],
  // Models request more results with a larger limit.
  ["next_cursor", ["page"]],
  ["created_at", ["occurred_at", "valid_from"]],
]);

/** Payload fields that a model can read from the item itself. */
const ITEM_FIELDS = new Set(["cluster_id"]);

/** Default values, which are omitted. */
const DEFAULT_VALUES: Readonly<Record<string, unknown>> = {
  success: true,
  actionable: true,
  instance_count: 1,
  confidence: 0.5,
  strength: 1,
  deleted: 0,
  superseded: 0,
  resolved: 0,
  dismissed: 0,
  topics: 0,
  status: "active",
};

/** Times shown as dates only. */
const DATE_FIELDS = new Set(["created_at", "updated_at", "valid_from", "valid_to"]);

/** Prose fields, written below their record's line. */
const PROSE_FIELDS = new Set([
  "title",
  "content",
  "statement",
  "summary",
  "description",
  "message",
  "text",
]);

const TIMESTAMP_PATTERN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z$/;

/**
 * Formats a result as text for a model: one line per record with its prose below, without empty
 * fields and repeated times. Prose is indented below its record so that content cannot imitate a
 * record.
 */
export function formatForModel(answer: unknown): string {
  if (!isPlainObject(answer)) return showPlain(answer, "");
  const text = isRecord(answer) ? formatBlock(answer, "") : formatSections(answer, "");
  return text.join("\n") || "Nothing.";
}

/** A record has an id or contains only scalar values. */
function isRecord(fields: Fields): boolean {
  return (
    "id" in fields || "seq" in fields || Object.values(fields).every((value) => isPlain(value))
  );
}

/** Formats each field under its name. */
function formatSections(fields: Fields, indent: string): string[] {
  return filledFields(fields).flatMap(([name, value]) => {
    const title = `${indent}${quoteNameForModel(name)}:`;
    if (isPlain(value)) return [`${title} ${showPlain(value, name)}`];
    if (Array.isArray(value)) return [title, ...formatItems(value, indent)];
    if (!isPlainObject(value)) return [`${title} ${showPlain(value, name)}`];
    const [first = "", ...more] = formatBlock(value, indent);
    return [`${title} ${first.trimStart()}`.trimEnd(), ...more];
  });
}

function formatItems(items: readonly unknown[], indent: string): string[] {
  return items.flatMap((item) => {
    if (!isPlainObject(item)) return [`${indent}- ${showPlain(item, "")}`];
    const [first = "", ...more] = formatBlock(item, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...more];
  });
}

/** Formats `id · type · time · name=value`, then prose and nested records. */
function formatBlock(fields: Fields, indent: string): string[] {
  const entries = withoutRepetition(filledFields(fields));
  const isProse = ([name, value]: [string, unknown]) =>
    PROSE_FIELDS.has(name) && typeof value === "string";
  const plain = entries.filter((entry) => isPlain(entry[1]) && !isProse(entry));
  const payload = entries.filter(([name, value]) => isFlat(name, value));
  const rest = entries.filter(([name, value]) => !isPlain(value) && !isFlat(name, value));
  const lines = entries.filter(isProse).flatMap(([, value]) => quoteLinesForModel(String(value)));
  return [
    `${indent}${[...plain, ...payload].map(([name, value]) => addIntroduction(name, value)).join(" · ")}`,
    ...lines.map((line) => `${indent}  ${line}`),
    ...formatSections(Object.fromEntries(rest), `${indent}  `),
  ];
}

/** True for event data that fits on the event's line. */
function isFlat(name: string, value: unknown): value is Fields {
  return name === "payload" && isPlainObject(value) && Object.values(value).every(isPlain);
}

function addIntroduction(name: string, value: unknown): string {
  if (isFlat(name, value)) {
    return filledFields(value)
      .filter(([field]) => !ITEM_FIELDS.has(field))
      .map(([field, inner]) => addIntroduction(field, inner))
      .join(" · ");
  }
  const label = typeof value === "number" && name !== "seq" ? undefined : FIELD_LABELS[name];
  return `${label ?? `${quoteNameForModel(name)}=`}${showPlain(value, name)}`;
}

function filledFields(fields: Fields): [string, unknown][] {
  return Object.entries(fields).filter(
    ([name, value]) =>
      !isEmpty(value) &&
      DEFAULT_VALUES[name] !== value &&
      !IMPLIED_FIELDS.get(name)?.some((other) => isFilled(fields[other])) &&
      !(name === "count" && isLengthOfList(value, fields)) &&
      !(name === "updated_at" && isSameDay(value, fields.created_at)),
  );
}

/** Creation and update times are compared as days. */
function isSameDay(value: unknown, other: unknown): boolean {
  return showPlain(value, "updated_at") === showPlain(other, "created_at");
}

/** True if the number is the length of a list shown below. */
function isLengthOfList(count: unknown, fields: Fields): boolean {
  if (count === 0) return false;
  return Object.values(fields).some((list) => Array.isArray(list) && list.length === count);
}

const isFilled = (value: unknown): boolean => value !== undefined && !isEmpty(value);

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.values(value).every(isEmpty);
}

/** Removes the update time of unchanged records, and of facts that are active since then. */
function withoutRepetition(entries: readonly [string, unknown][]): [string, unknown][] {
  const seen = new Set<string>();
  return entries.filter(([name, value]) => {
    if (typeof value !== "string" || !TIMESTAMP_PATTERN.test(value)) return true;
    const plainText = showPlain(value, name);
    const isNew = !seen.has(plainText);
    seen.add(plainText);
    return isNew;
  });
}

/** True for values that fit on one line: scalars, lists of scalars, labels. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isScalar(item) || isLabel(item));
  return isScalar(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isLabel(value: unknown): value is { key: unknown; value: unknown } {
  return isPlainObject(value) && Object.keys(value).sort().join() === "key,value";
}

function showPlain(value: unknown, name: string): string {
  if (Array.isArray(value)) return value.map((item) => showPlain(item, name)).join(", ");
  if (isLabel(value)) return `${showPlain(value.key, "")}=${showPlain(value.value, "")}`;
  if (typeof value === "number" && !Number.isInteger(value)) return String(+value.toFixed(3));
  if (typeof value === "object") return quoteNameForModel(JSON.stringify(value));
  if (typeof value !== "string") return String(value);
  const [, day, minute] = TIMESTAMP_PATTERN.exec(value) ?? [];
  if (day === undefined) return quoteNameForModel(value).replaceAll("·", "-");
  return minute === "00:00" || DATE_FIELDS.has(name) ? day : `${day}T${minute}Z`;
}
