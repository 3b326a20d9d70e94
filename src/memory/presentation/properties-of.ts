import { DESCRIBED, type DescribedField, type RecordField } from "./described-fields.ts";

/** A field of a record that has a value, ready to be drawn. */
export interface Property extends DescribedField {
  readonly field: RecordField;
  readonly values: readonly string[];
}

export type Presentable = { readonly [Field in RecordField]?: unknown };

const FIELDS = Object.entries(DESCRIBED) as [RecordField, DescribedField][];
const DETAILS = FIELDS.filter(([, { standing }]) => standing === "detail");
const IN_A_LINE = FIELDS.filter(([, { line }]) => line !== undefined).sort(
  ([, a], [, b]) => (a.line ?? 0) - (b.line ?? 0),
);

export function propertiesOf(record: Presentable): Property[] {
  return filled(record, DETAILS);
}

export function lineOf(record: Presentable): Property[] {
  return filled(record, IN_A_LINE);
}

/** The words of a property in a line, one for each value: `by Ada`, `area=build`. */
export function wordsOf({ values, name, said }: Property): string[] {
  return values.map((value) => `${said ?? `${name}=`}${value}`);
}

function filled(record: Presentable, fields: typeof FIELDS): Property[] {
  const properties: Property[] = [];
  for (const [field, described] of fields) {
    const values = textsOf(record[field]);
    if (values.length > 0) properties.push({ field, values, ...described });
  }
  return properties;
}

function textsOf(value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object") return [String(value)];
  return [isLabel(value) ? `${value.key}=${value.value}` : JSON.stringify(value)];
}

function isLabel(value: object): value is { readonly key: string; readonly value: string } {
  return Object.keys(value).sort().join() === "key,value";
}
