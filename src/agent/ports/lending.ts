/** What cairn logs in to for a command, so that it needs no key. */
export interface Lending {
  /** git needs no key of the person's for it. */
  readonly coversGit: boolean;
  /** Names of programs, as `git` or `pip`. */
  readonly kinds: readonly string[];
  /** The program beside which nothing is lent. */
  readonly beside: string | undefined;
}
