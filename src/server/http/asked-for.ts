/** Request metadata for logging, without content. */
export interface AskedFor {
  database?: string | undefined;
  ids?: readonly string[] | undefined;
  change?: string | undefined;
}
