import { parse } from "yaml";

const FIELD_LINE = /^([A-Za-z_][\w-]*:)[ \t]+([^|>{[\s].*?)[ \t]*$/;

/**
 * Parses YAML front matter as people write it: a one-line value that is not YAML, such as text
 * with a colon, counts as text. Throws the error of the first attempt if that does not help.
 */
export function parseLooseYaml(text: string, options: Parameters<typeof parse>[2]): unknown {
  try {
    return parse(text, options);
  } catch (error) {
    try {
      return parse(text.split(/\r?\n/).map(quoteIfInvalid).join("\n"), options);
    } catch {
      throw error;
    }
  }
}

function quoteIfInvalid(line: string): string {
  const [, name, value] = FIELD_LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) return line;
  try {
    parse(line, { logLevel: "error" });
    return line;
  } catch {
    return `${name} ${JSON.stringify(value)}`;
  }
}
