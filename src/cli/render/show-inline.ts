import { stripControl } from "../../shared/text.ts";

/** Somebody's text on one line, without anything that could move the cursor. */
export function showInline(text: string): string {
  return stripControl(text).replaceAll("\n", " ");
}
