/** A possible completion and its description. */
export interface CompletedValue {
  readonly value: string;
  readonly detail: string;
}
