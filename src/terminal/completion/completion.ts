export interface Completion {
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** The part of the text that an item replaces. */
  readonly from: number;
  readonly to: number;
}

export interface CompletionItem {
  /** Replaces the text between `from` and `to`. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
  readonly isWhole: boolean;
}
