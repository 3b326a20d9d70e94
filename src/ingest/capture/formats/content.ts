import { isPlainObject } from "../../../shared/json.ts";

/** The text of a content that is a string, a block with `text`, or a list of either. */
export function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textIn).filter(Boolean).join("\n");
  if (!isPlainObject(content)) return "";
  for (const key of ["text", "content", "output", "llmContent", "textResultForLlm", "message"]) {
    const text = textIn(content[key]);
    if (text !== "") return text;
  }
  return "";
}

/** The arguments of a tool, given as an object or as its JSON. */
export function inputIn(value: unknown): Readonly<Record<string, unknown>> {
  if (isPlainObject(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isPlainObject(parsed) ? parsed : {};
  } catch {
    // A tool that takes plain text, such as a patch.
    return { text: value };
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
