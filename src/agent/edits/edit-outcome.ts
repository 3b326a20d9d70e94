export interface EditOutcome {
  readonly text: string;
  /** Whole sentences for the model. */
  readonly notes: readonly string[];
}
