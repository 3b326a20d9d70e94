import { stripControl } from "../../shared/strip-control.ts";

/** Somebody's text on one line, without anything that could move the cursor. */
export function showInline(text: string): string {
  return stripControl(text).replaceAll("\n", " ");
}
