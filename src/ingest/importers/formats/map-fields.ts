import { createHash } from "node:crypto";
import { invalidInput } from "../../../shared/errors.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../../../shared/json.ts";
import type { ImportedRecord } from "../imported-record.ts";
import { parseTime } from "./parse-time.ts";

/** Episode fields that a column can fill, with the column names tried for each. */
const FIELDS = {
  content: ["content", "text", "memory", "note", "body"],
  id: ["id", "uuid", "key"],
  type: ["episode_type", "type", "t"],
  occurred_at: ["occurred_at", "created_at", "date", "time", "timestamp"],
  by: ["asserted_by", "author", "by", "user"],
  ref: ["source_ref", "ref", "url", "link"],
  session: ["session"],
  entities: ["entities", "e"],
  labels: ["labels"],
} as const;

type Field = keyof typeof FIELDS;

const FIELD_NAMES = Object.keys(FIELDS) as Field[];

export function checkMap(map: Readonly<Record<string, string>>): void {
  for (const field of Object.keys(map)) {
    if (FIELD_NAMES.some((name) => name === field)) continue;
    throw invalidInput(`map: "${field}" is not one of ${FIELD_NAMES.join(", ")}`);
  }
}

export function mapEpisode(
  record: Readonly<Record<string, unknown>>,
  where: string,
  map: Readonly<Record<string, string>>,
): ImportedRecord {
  const used = new Set<string>();
  const pick = (field: Field): unknown => {
    const mapped = map[field];
    const names: readonly string[] = mapped === undefined ? FIELDS[field] : [mapped];
    const name = names.find((one) => record[one] !== undefined && !used.has(one));
    if (name === undefined) return undefined;
    used.add(name);
    return record[name];
  };
  const text = (field: Field): string | undefined => {
    const value = pick(field);
    const written = typeof value === "string" ? value.trim() : value == null ? "" : String(value);
    return written === "" ? undefined : written;
  };
  const content = text("content");
  if (content === undefined) {
    const tried = map.content ?? FIELDS.content.join(", ");
    return {
      kind: "skipped",
      where,
      reason: `has no text in ${tried}; set its field with --map content=NAME`,
    };
  }
  const id = text("id");
  const time = pick("occurred_at");
  const occurredAt = parseTime(time);
  const type = text("type");
  const by = text("by");
  const ref = text("ref");
  const session = text("session");
  return {
    kind: "episode",
    id: id ?? hashToId(ref ?? "record", content),
    content,
    ...(type !== undefined && { type }),
    ...(by !== undefined && { assertedBy: by }),
    ...(ref !== undefined && { sourceRef: ref }),
    ...(session !== undefined && { session }),
    ...(occurredAt !== undefined && { occurredAt }),
    entities: parseList(pick("entities")),
    labels: parseLabels(pick("labels")),
    metadata: remainingFields(record, used, occurredAt === undefined ? time : undefined),
  };
}

function parseList(value: unknown): string[] {
  const items = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return items.map((item) => String(item).trim()).filter((item) => item !== "");
}

function parseLabels(value: unknown): { key: string; value: string }[] {
  if (isPlainObject(value)) {
    return Object.entries(value).map(([key, text]) => ({ key, value: String(text) }));
  }
  return parseList(value).map((label) => {
    const [key = "", ...rest] = label.split("=");
    return rest.length === 0 ? { key: "label", value: key } : { key, value: rest.join("=") };
  });
}

function remainingFields(
  record: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
  badTime: unknown,
): JsonObject {
  const rest: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(record)) {
    if (!used.has(name) && value !== undefined && value !== "") rest[name] = value as JsonValue;
  }
  if (badTime !== undefined && badTime !== "") rest.time = String(badTime);
  return rest;
}

export function hashToId(path: string, text: string): string {
  const hash = createHash("sha256").update(`${path}\n${text}`).digest("hex");
  return `${path}#${hash.slice(0, 12)}`;
}
