import type { DocumentLanguage } from "./document.ts";

/** Where the text of a script stands in its document. */
export const SCRIPT_PATH = ["script"] as const;

/** A program as a document with one value: its whole text. Without it, the file is empty. */
export const scriptDocument: DocumentLanguage = {
  title: "a script",
  parse: (text) => (text === "" ? undefined : { [SCRIPT_PATH[0]]: text }),
  apply: (_text, { value }) => (typeof value === "string" ? value : ""),
};
