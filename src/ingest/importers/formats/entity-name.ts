import { ENTITY_TYPES } from "../../../memory/input/parse-entity.ts";

/** Entity types by the names that other tools use for them. */
const TYPE_SYNONYMS: Readonly<Record<string, string>> = {
  user: "person",
  human: "person",
  people: "person",
  developer: "person",
  author: "person",
  repo: "project",
  repository: "project",
  product: "project",
  library: "tool",
  framework: "tool",
  technology: "tool",
  service: "tool",
  software: "tool",
  package: "module",
  component: "module",
  method: "function",
  path: "file",
  document: "file",
  idea: "concept",
  topic: "concept",
  subject: "concept",
};

export interface MappedEntity {
  /** `type:name`, with a known entity type. */
  readonly id: string;
  /** The original type, if the engine does not have it. */
  readonly foreignType: string | undefined;
}

/** Maps unknown types to `other`. */
export function mapEntity(type: string, name: string): MappedEntity {
  const written = type.trim();
  const lower = written.toLowerCase();
  const known = ENTITY_TYPES.find((one) => one === lower);
  const trimmed = name.replace(/\s+/g, " ").trim();
  if (known !== undefined) return { id: `${known}:${trimmed}`, foreignType: undefined };
  const mapped = Object.hasOwn(TYPE_SYNONYMS, lower) ? TYPE_SYNONYMS[lower] : "other";
  return { id: `${mapped}:${trimmed}`, foreignType: written === "" ? undefined : written };
}
