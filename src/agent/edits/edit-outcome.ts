export interface EditOutcome {
  readonly text: string;
  /** Complete sentences for the model. */
  readonly notes: readonly string[];
}
