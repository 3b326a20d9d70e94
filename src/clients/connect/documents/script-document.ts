import type { DocumentLanguage } from "./document.ts";

/** The path of a script's text in its document. */
export const SCRIPT_PATH = ["script"] as const;

/**
 * A program as a document with a single value, its whole text. Without that value the file is
 * empty.
 */
export const scriptDocument: DocumentLanguage = {
  title: "a script",
  parse: (text) => (text === "" ? undefined : { [SCRIPT_PATH[0]]: text }),
  apply: (_text, { value }) => (typeof value === "string" ? value : ""),
};
