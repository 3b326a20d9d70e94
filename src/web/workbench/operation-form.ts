/** A form field for one input of an operation. */
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
  /** Name in a changeset; without one, the form has no preview. */
  readonly op?: string;
  /** True if it cannot be undone. */
  readonly erases?: boolean;
  readonly fields: readonly FormField[];
}

/** `open_conflict` → `Open conflict` */
export function titleOfForm({ name }: { readonly name: string }): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
