import { createHash } from "node:crypto";

export function idOfText(place: string, text: string): string {
  const hash = createHash("sha256").update(`${place}\n${text}`).digest("hex");
  return `${place}#${hash.slice(0, 12)}`;
}
