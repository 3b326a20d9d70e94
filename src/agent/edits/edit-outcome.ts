/** What an edit makes of a text, and what was understood beyond the letter of the call. */
export interface EditOutcome {
  readonly text: string;
  /** Whole sentences for the model. */
  readonly notes: readonly string[];
}
