import { invalidInput, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { parseLooseYaml } from "../../shared/loose-yaml.ts";

export interface FrontmatterDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;

/** Undefined without YAML frontmatter; throws invalid_input if it is not a map. */
export function readFrontmatter(text: string): FrontmatterDocument | undefined {
  const match = FRONTMATTER.exec(text);
  if (match === null) return undefined;
  const data = parseYaml(match[1] ?? "");
  if (!isPlainObject(data)) {
    throw invalidInput('the frontmatter must be a list of "key: value" lines');
  }
  return { data, body: text.slice(match[0].length).trim() };
}

export function textField(document: FrontmatterDocument, name: string): string | undefined {
  const value = document.data[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return value.trim();
}

function parseYaml(text: string): unknown {
  try {
    return parseLooseYaml(text, { maxAliasCount: 20, logLevel: "error" }) ?? {};
  } catch (error) {
    throw invalidInput(`the frontmatter is not valid YAML: ${firstLine(messageOf(error))}`);
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
