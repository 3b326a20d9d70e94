/** What a word may become, and what that is. */
export interface CompletedValue {
  readonly value: string;
  readonly detail: string;
}
