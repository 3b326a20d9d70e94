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

export interface Change {
  /** Names of maps and indexes of lists. The index after the last appends to the list. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

export interface DocumentLanguage {
  readonly title: string;
  /** The text as plain data; undefined if it is empty. Throws Error with line and reason. */
  parse(text: string): unknown;
  apply(text: string, change: Change): string;
}
