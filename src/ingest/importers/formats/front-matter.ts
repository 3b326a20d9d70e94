import { messageOf } from "../../../shared/errors.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { parseLooseYaml } from "../../../shared/loose-yaml.ts";

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly lines: number;
  /** Parse error of the front matter, which then remains in the body. */
  readonly problem?: string;
}

const FRONT_MATTER_BLOCK = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** Larger blocks are text that happens to begin with a horizontal rule. */
const MAX_CHARS = 64 * 1024;

/** Splits a Markdown file into its YAML front matter and body. */
export function splitFrontMatter(text: string): FrontMatter {
  const match = FRONT_MATTER_BLOCK.exec(text);
  const yaml = match?.[1] ?? "";
  if (match === null || yaml.length > MAX_CHARS) return { fields: {}, body: text, lines: 0 };
  try {
    const fields: unknown = parseLooseYaml(yaml, { schema: "core", maxAliasCount: 0 });
    if (!isPlainObject(fields)) return { fields: {}, body: text, lines: 0 };
    const lines = match[0].split("\n").length - 1;
    return { fields, body: text.slice(match[0].length), lines };
  } catch (error) {
    const problem = `its front matter is not YAML: ${messageOf(error)}`;
    return { fields: {}, body: text, lines: 0, problem };
  }
}

export function textField(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = fields[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

export function listField(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): readonly string[] {
  const value = fields[name];
  const items = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return items.map((item) => String(item).trim()).filter((item) => item !== "");
}
