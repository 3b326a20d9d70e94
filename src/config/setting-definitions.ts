import { z } from "zod";
import { settingsSchema } from "./settings.ts";

/** One setting that can be given on its own: a leaf of the config file. */
export interface SettingDefinition {
  /** Path in the config file, joined by dots: `embedding.provider`. */
  readonly key: string;
  /** `CAIRN_EMBEDDING_PROVIDER` */
  readonly variable: string;
  /** `--embedding-provider` */
  readonly flag: string;
  /** How a text is turned into a value. */
  readonly kind: "text" | "integer" | "number" | "boolean" | "list" | "json";
  readonly description: string;
  /** Never shown or logged. */
  readonly secret: boolean;
}

const SECRETS = new Set(["apiKey", "embedding.apiKey", "token"]);

export function settingDefinitions(): readonly SettingDefinition[] {
  return leaves(settingsSchema, []);
}

function leaves(schema: z.ZodObject, parents: readonly string[]): SettingDefinition[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = unwrap(field);
    const path = [...parents, name];
    if (inner instanceof z.ZodObject) return leaves(inner, path);
    return [define(path, inner, describe(field))];
  });
}

function define(path: readonly string[], schema: z.ZodType, description: string) {
  const key = path.join(".");
  const words = path.map(separateWords);
  return {
    key,
    variable: `CAIRN_${words.join("_").toUpperCase()}`,
    flag: `--${words.join("-").replaceAll("_", "-").toLowerCase()}`,
    kind: kindOf(schema),
    description,
    secret: SECRETS.has(key),
  };
}

function separateWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}

function kindOf(schema: z.ZodType): SettingDefinition["kind"] {
  if (schema instanceof z.ZodNumber) return schema.isInt ? "integer" : "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (!(schema instanceof z.ZodArray)) return "text";
  return schema.element instanceof z.ZodString ? "list" : "json";
}

function unwrap(schema: unknown): z.ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault
  ) {
    inner = inner.unwrap();
  }
  return inner as z.ZodType;
}

function describe(schema: unknown): string {
  const outer = schema instanceof z.ZodType ? schema.description : undefined;
  return outer ?? unwrap(schema).description ?? "";
}

/** Variables that hold a secret. */
export function secretVariables(): readonly string[] {
  return settingDefinitions()
    .filter(({ secret }) => secret)
    .map(({ variable }) => variable);
}
