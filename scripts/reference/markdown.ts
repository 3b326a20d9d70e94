import type { Operation } from "../../src/memory/index.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../../src/shared/json-schema.ts";

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

/** Table of an operation's input, one row per field. */
export function renderInputTable({ input }: Operation): string {
  const rows = createFieldRows(inputSchema(input));
  return rows.length === 0 ? "No input.\n" : renderTable(["input", "type", "default", ""], rows);
}

/** Fields of an operation's output in one line. */
export function renderOutputLine({ output }: Operation): string {
  const schema = outputSchema(output);
  const fields = Object.entries(getProperties(schema)).map(([name, field]) => {
    const optional = getRequired(schema).includes(name) ? "" : "?";
    return `\`${name}${optional}\` ${typeName(field)}`;
  });
  return fields.length === 0 ? "" : `Returns ${fields.join(", ")}.\n`;
}

function createFieldRows(schema: JsonSchema): string[][] {
  return Object.entries(getProperties(schema)).map(([name, field]) => [
    `\`${name}\`${getRequired(schema).includes(name) && field.default === undefined ? " *" : ""}`,
    typeName(field),
    field.default === undefined ? "" : `\`${JSON.stringify(field.default)}\``,
    describe(field),
  ]);
}

/** Returns the description with the bounds of the schema. */
function describe(field: JsonSchema): string {
  const bounds = [
    ["minimum", "≥"],
    ["maximum", "≤"],
    ["maxLength", "length ≤"],
  ].flatMap(([key = "", sign = ""]) => {
    const value = field[key];
    const isBound = typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    return isBound && value !== 0 ? [`${sign} ${value}`] : [];
  });
  return [field.description, bounds.join(", ")].filter(Boolean).join(" ");
}

function typeName(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) {
    return schema.enum.length > 8 ? "text" : schema.enum.map((value) => `\`${value}\``).join(", ");
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.anyOf)) {
    const names = (schema.anyOf as JsonSchema[])
      .filter(({ type }) => type !== "null")
      .map(typeName);
    return [...new Set(names)].join(" or ");
  }
  const names: Readonly<Record<string, string>> = { string: "text", array: "list" };
  const types = [schema.type ?? "any"].flat() as string[];
  return types
    .filter((type) => type !== "null")
    .map((type) => names[type] ?? type)
    .join(" or ");
}

function getProperties(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties as Record<string, JsonSchema> | undefined) ?? {};
}

function getRequired(schema: JsonSchema): readonly string[] {
  return (schema.required as string[] | undefined) ?? [];
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
