import { z } from "zod";
import {
  type FieldKind,
  fieldKind,
  getMeta,
  type TrustRule,
  unwrapField,
} from "../shared/fields.ts";
import { settingsSchema } from "./settings.ts";

export interface SettingDefinition {
  readonly key: string;
  readonly variable: string;
  readonly flag: string;
  readonly kind: FieldKind;
  readonly description: string;
  /** Never shown or logged. */
  readonly secret: boolean;
  readonly trust: TrustRule | undefined;
}

export function settingDefinitions(): readonly SettingDefinition[] {
  return listLeaves(settingsSchema, []);
}

function listLeaves(schema: z.ZodObject, parents: readonly string[]): SettingDefinition[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = unwrapField(field);
    const path = [...parents, name];
    if (inner instanceof z.ZodObject) return listLeaves(inner, path);
    return [defineSetting(path, field)];
  });
}

function defineSetting(path: readonly string[], field: unknown): SettingDefinition {
  const key = path.join(".");
  const words = path.map(separateWords);
  const { secret = false, trust } = getMeta(field);
  return {
    key,
    variable: `CAIRN_${words.join("_").toUpperCase()}`,
    flag: `--${words.join("-").replaceAll("_", "-").toLowerCase()}`,
    kind: fieldKind(field),
    description: describeSetting(field),
    secret,
    trust,
  };
}

function separateWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}

function describeSetting(schema: unknown): string {
  const outer = schema instanceof z.ZodType ? schema.description : undefined;
  const inner = unwrapField(schema);
  return outer ?? (inner instanceof z.ZodType ? inner.description : undefined) ?? "";
}

export function secretVariables(): readonly string[] {
  return settingDefinitions()
    .filter(({ secret }) => secret)
    .map(({ variable }) => variable);
}
