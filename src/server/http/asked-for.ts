/** What a handler tells of a request for whoever notes it: names and numbers, never content. */
export interface AskedFor {
  database?: string | undefined;
  ids?: readonly string[] | undefined;
  change?: string | undefined;
}
