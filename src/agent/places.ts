/** Where a thread finds what its user wrote. */
export interface AgentPlaces {
  /** Absolute path of the project root. */
  readonly projectRoot: string;
  /** Absolute path of the folder that holds the user's config, skills and instruction file. */
  readonly userConfigDir: string;
  /** False: the project's own commands are left out, because nobody has looked at them. */
  readonly trustsCommands?: boolean;
}
