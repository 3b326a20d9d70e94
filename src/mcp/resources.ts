import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";
import { CairnError, type ErrorBody, invalidInput } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/json.ts";
import { didYouMean } from "../kernel/nearest.ts";
import type { Memory } from "../memory/index.ts";

const SCHEME = "memory://";
const JSON_TYPE = "application/json";

/** Scopes that need no argument, with what they hold. */
const PLAIN = {
  bootstrap: "The strongest concepts, open conflicts in number, statistics: a good start",
  pending: "Episodes that were not reviewed yet, with their entities",
  conflicts: "Open conflicts with both facts",
  labels: "Labels in use, with counts",
  stats: "Counts, and how far consolidation is",
} as const;

const TEMPLATES = {
  recent: ["n", "The newest episodes"],
  concept: ["id", "A concept with its episodes, evidence, lineage and facts"],
  entity: ["id", "An entity (type:name) with its episodes, fact clusters and relations"],
  label: ["label", "Everything that carries a label (key=value)"],
  query: ["text", "Concepts found for a text"],
  topic: ["id", "A topic with its concepts and episodes"],
} as const;

export function listResources(): Resource[] {
  return Object.entries(PLAIN).map(([scope, description]) => ({
    uri: `${SCHEME}${scope}`,
    name: scope,
    description,
    mimeType: JSON_TYPE,
  }));
}

export function listResourceTemplates(): ResourceTemplate[] {
  return Object.entries(TEMPLATES).map(([scope, [argument, description]]) => ({
    uriTemplate: `${SCHEME}${scope}/{${argument}}`,
    name: scope,
    description,
    mimeType: JSON_TYPE,
  }));
}

/** The section of a snapshot that the URI names. Throws invalid_input and not_found. */
export async function readResource(memory: Memory, uri: string) {
  const scope = scopeOf(uri);
  const sections = await memory.execute("snapshot", { scopes: [scope] });
  const section = isPlainObject(sections) ? Object.values(sections)[0] : undefined;
  if (isPlainObject(section) && isPlainObject(section.error)) {
    const { code, message } = section.error as unknown as ErrorBody;
    throw new CairnError(code, message);
  }
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(section, null, 2) };
}

/** `memory://entity/file:src/app.ts` → `entity:file:src/app.ts` */
function scopeOf(uri: string): string {
  const path = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : "";
  const at = path.indexOf("/");
  const name = at < 0 ? path : path.slice(0, at);
  if (at < 0 && Object.hasOwn(PLAIN, name)) return name;
  if (at >= 0 && Object.hasOwn(TEMPLATES, name)) return `${name}:${decode(path.slice(at + 1))}`;
  const known = [...Object.keys(PLAIN), ...Object.keys(TEMPLATES)];
  throw invalidInput(
    `uri: there is no such resource; they look like memory://bootstrap.${didYouMean(name, known)}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
