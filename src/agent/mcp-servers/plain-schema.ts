import { isPlainObject } from "../../shared/json.ts";

type Schema = Record<string, unknown>;

const KNOWN_TYPES: ReadonlySet<unknown> = new Set([
  ...["string", "number", "integer", "boolean", "array", "object", "null"],
]);
/** Validation that all services support or ignore; the server checks the rest. */
const BOUND_KEYWORDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
const MAX_DEPTH = 12;
/** Limits the growth of a schema whose references are resolved in many places. */
const MAX_NODES = 2_000;

/**
 * Reduces a tool's input schema to the subset that every service accepts, since one rejected schema
 * fails the whole request. Resolves references, turns tuples into lists and alternatives into
 * `anyOf`; inexpressible parts are described in text or omitted.
 */
export function plainSchema(schema: unknown): Schema {
  const root = isPlainObject(schema) ? schema : {};
  const plain = new SchemaSimplifier(root).object(root, 0);
  return { ...plain, type: "object", properties: plain.properties ?? {} };
}

class SchemaSimplifier {
  readonly #root: Schema;
  #nodes = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  object(schema: Schema, depth: number): Schema {
    const merged = mergeAll(schema);
    const properties = isPlainObject(merged.properties) ? merged.properties : {};
    // Services that build an object of the names lose this one.
    const names = Object.keys(properties).filter((name) => name !== "__proto__");
    const { required: listed } = merged;
    const required = Array.isArray(listed) ? names.filter((name) => listed.includes(name)) : [];
    const { additionalProperties: more } = merged;
    return {
      ...addDescription(merged),
      type: "object",
      ...(names.length > 0 && {
        properties: Object.fromEntries(
          names.map((name) => [name, this.#any(properties[name], depth + 1)]),
        ),
      }),
      ...(required.length > 0 && { required }),
      ...(typeof more === "boolean" && { additionalProperties: more }),
      ...(isPlainObject(more) && { additionalProperties: this.#any(more, depth + 1) }),
    };
  }

  #any(value: unknown, depth: number): Schema {
    this.#nodes += 1;
    if (!isPlainObject(value) || depth > MAX_DEPTH || this.#nodes > MAX_NODES) return {};
    const schema = this.#resolved(value);
    const choices = readChoices(schema);
    if (choices !== undefined) return this.#choice(schema, choices, depth);
    const type = schemaType(schema);
    if (type === "object") return this.object(schema, depth);
    const bounds = Object.fromEntries(
      BOUND_KEYWORDS.filter(
        (name) => Number.isSafeInteger(schema[name]) && Number(schema[name]) >= 0,
      ).map((name) => [name, schema[name]]),
    );
    const base = { ...addDescription(schema), ...(type !== undefined && { type }), ...bounds };
    if (type === "array") return { ...base, items: this.#items(schema, depth) };
    return { ...base, ...readValues(schema, type) };
  }

  #choice(schema: Schema, choices: readonly unknown[], depth: number): Schema {
    const plain = choices
      .filter((choice) => !isPlainObject(choice) || choice.type !== "null")
      .map((choice) => this.#any(choice, depth + 1));
    const [only] = plain;
    if (only === undefined) return addDescription(schema);
    if (plain.length === 1) return { ...only, ...addDescription(schema) };
    return { ...addDescription(schema), anyOf: plain };
  }

  #items(schema: Schema, depth: number): Schema {
    const { items, prefixItems } = schema;
    const tuple = Array.isArray(items)
      ? items
      : Array.isArray(prefixItems)
        ? prefixItems
        : undefined;
    if (tuple === undefined) {
      return isPlainObject(items) ? this.#any(items, depth + 1) : { type: "string" };
    }
    return this.#choice({}, tuple, depth);
  }

  /** Resolves a reference within the schema; other references allow any value. */
  #resolved(schema: Schema): Schema {
    let found = schema;
    for (let hops = 0; typeof found.$ref === "string" && hops < MAX_DEPTH; hops += 1) {
      const { $ref: reference, ...beside } = found;
      found = { ...this.#at(reference as string), ...beside };
    }
    return found;
  }

  #at(reference: string): Schema {
    if (!reference.startsWith("#/")) return {};
    let node: unknown = this.#root;
    for (const step of reference.slice(2).split("/")) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      node = isPlainObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
    }
    return isPlainObject(node) ? node : {};
  }
}

function mergeAll(schema: Schema): Schema {
  const parts = Array.isArray(schema.allOf) ? schema.allOf.filter(isPlainObject) : [];
  return parts.reduce<Schema>(
    (merged, part) => ({
      ...part,
      ...merged,
      ...(isPlainObject(part.properties) && {
        properties: { ...part.properties, ...(merged.properties as Schema | undefined) },
      }),
      ...(Array.isArray(part.required) && {
        required: [...part.required, ...((merged.required as unknown[] | undefined) ?? [])],
      }),
    }),
    schema,
  );
}

function readChoices(schema: Schema): readonly unknown[] | undefined {
  for (const key of ["anyOf", "oneOf"] as const) {
    if (Array.isArray(schema[key]) && schema[key].length > 0) return schema[key];
  }
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== "null") : [];
  const { type: _, description: __, ...rest } = schema;
  return types.length > 1 ? types.map((type) => ({ ...rest, type })) : undefined;
}

function schemaType(schema: Schema): string | undefined {
  const named = Array.isArray(schema.type)
    ? schema.type.find((type) => type !== "null")
    : schema.type;
  if (KNOWN_TYPES.has(named)) return named as string;
  if (isPlainObject(schema.properties) || Array.isArray(schema.allOf)) return "object";
  return schema.items === undefined && schema.prefixItems === undefined ? undefined : "array";
}

/** Values of a list of strings; others are named in the description. */
function readValues(schema: Schema, type: string | undefined): Schema {
  const listed = "const" in schema ? [schema.const] : schema.enum;
  if (!Array.isArray(listed) || listed.length === 0) return {};
  const values = listed.filter((value) => value !== null);
  const areStrings = values.every((value) => typeof value === "string" && value !== "");
  if (areStrings && values.length > 0 && (type === undefined || type === "string")) {
    return { type: "string", enum: [...new Set(values)] };
  }
  const text = `One of: ${JSON.stringify(listed)}.`;
  const { description } = schema;
  return { description: typeof description === "string" ? `${description} ${text}` : text };
}

function addDescription({ description, title }: Schema): { description?: string } {
  const text = typeof description === "string" ? description : title;
  return typeof text === "string" && text !== "" ? { description: text } : {};
}
