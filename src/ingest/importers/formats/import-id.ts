import { createHash } from "node:crypto";

export function idOfText(path: string, text: string): string {
  const hash = createHash("sha256").update(`${path}\n${text}`).digest("hex");
  return `${path}#${hash.slice(0, 12)}`;
}
