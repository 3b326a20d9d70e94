/** A field of an operation's input, as a form asks for it. */
export interface FormField {
  readonly name: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "list" | "textList" | "json";
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly names?: string;
  readonly choices?: readonly string[];
  readonly preset?: string;
  readonly about?: string;
}

export interface OperationForm {
  readonly name: string;
  readonly summary: string;
  /** Its name in a changeset; without one it cannot be tried before it is done. */
  readonly op?: string;
  /** It cannot be undone. */
  readonly erases?: boolean;
  readonly fields: readonly FormField[];
}

/** `open_conflict` → `Open conflict` */
export function titleOfForm({ name }: { readonly name: string }): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
