/** Where a thread finds what its user wrote. */
export interface AgentPlaces {
  /** Absolute path of the project root. */
  readonly projectRoot: string;
  /** The folder below it in which the person is, with slashes; absent or empty: the root. */
  readonly startedIn?: string;
  /** Absolute path of the folder that holds the user's config, skills and instruction file. */
  readonly userConfigDir: string;
  /** False: the project's own commands are left out, because nobody has looked at them. */
  readonly trustsCommands?: boolean;
}
