import { invalidInput } from "../../shared/errors.ts";
import { nearestName } from "../../shared/nearest.ts";
import { parseList } from "../../shared/parse-field.ts";

export const ENTITY_TYPES = [
  "file",
  "function",
  "class",
  "module",
  "concept",
  "person",
  "project",
  "tool",
  "other",
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

export interface EntityName {
  readonly type: EntityType;
  /** Trimmed name as written; may contain `:` and `/`. */
  readonly name: string;
  /** Normalized name, unique within its type. */
  readonly key: string;
}

/** Parses `type:name` with a case-insensitive type. Throws invalid_input that lists the types. */
export function parseEntity(text: string): EntityName {
  const at = text.indexOf(":");
  const type = parseEntityType(text.slice(0, Math.max(at, 0)), text);
  const name = text.slice(at + 1).trim();
  if (name === "") throw invalidInput(`${JSON.stringify(text)} has no name. Write ${type}:name.`);
  return { type, name, key: entityMatchKey(type, name) };
}

export function parseEntityList(value: string | readonly string[]): EntityName[] {
  const entities = new Map<string, EntityName>();
  for (const text of parseList(value, "entities")) {
    const entity = parseEntity(text);
    const id = `${entity.type}:${entity.key}`;
    if (!entities.has(id)) entities.set(id, entity);
  }
  return [...entities.values()];
}

/** Case-insensitive except for file names, since `Makefile` and `makefile` may differ. */
function entityMatchKey(type: EntityType, name: string): string {
  const composed = name.trim().normalize("NFC");
  return type === "file" ? name.trim() : composed.toLowerCase().replace(/\s+/g, " ");
}

function parseEntityType(written: string, text: string): EntityType {
  const type = written.trim().toLowerCase();
  const known = ENTITY_TYPES.find((one) => one === type);
  if (known !== undefined) return known;
  const nearby = type === "" ? undefined : nearestName(type, ENTITY_TYPES);
  const hint = nearby === undefined ? "" : ` Did you mean "${nearby}"?`;
  throw invalidInput(
    `${JSON.stringify(text)} is not an entity. Write type:name with one of the types ${ENTITY_TYPES.join(", ")}.${hint}`,
  );
}
