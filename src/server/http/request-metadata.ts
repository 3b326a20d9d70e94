/** Request metadata for logging, without content. */
export interface RequestMetadata {
  database?: string | undefined;
  ids?: readonly string[] | undefined;
  change?: string | undefined;
}
