/** Request facts for logging: names and numbers, never content. */
export interface AskedFor {
  database?: string | undefined;
  ids?: readonly string[] | undefined;
  change?: string | undefined;
}
