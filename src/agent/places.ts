/** Where a thread finds what its user wrote. */
export interface AgentPlaces {
  /** Absolute path of the project root. */
  readonly projectRoot: string;
  /** Absolute path of the folder that holds the user's config, skills and instruction file. */
  readonly userConfigDir: string;
}
