export const SCRIPT_PATH = ["script"] as const;

/** A program as a document with a single value, its text; empty without it. */
export const scriptDocument: DocumentLanguage = {
  title: "a script",
  parse: (text) => (text === "" ? undefined : { [SCRIPT_PATH[0]]: text }),
  apply: (_text, { value }) => (typeof value === "string" ? value : ""),
};

export interface Change {
  /** Map keys and list indexes; the index after the last appends. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

export interface DocumentLanguage {
  readonly title: string;
  /** Parses to plain data; undefined if empty. Throws Error with line and reason. */
  parse(text: string): unknown;
  apply(text: string, change: Change): string;
}
