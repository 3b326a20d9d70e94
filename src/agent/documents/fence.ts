/**
 * Text of others between two tags that it cannot close itself, so that a model can tell data from
 * what it was told. A tag of the same name inside loses its angle bracket.
 */
export function fence(tag: string, text: string, attributes: Record<string, string> = {}): string {
  const open = [tag, ...Object.entries(attributes).map(([key, value]) => attribute(key, value))];
  return `<${open.join(" ")}>\n${neutralise(tag, text)}\n</${tag}>`;
}

function neutralise(tag: string, text: string): string {
  return text.replace(new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, "gi"), "‹");
}

function attribute(key: string, value: string): string {
  return `${key}="${value.replace(/["<>\r\n]/g, " ")}"`;
}
