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
