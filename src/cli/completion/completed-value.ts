export interface CompletedValue {
  readonly value: string;
  readonly detail: string;
}
