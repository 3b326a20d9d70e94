export interface AgentPlaces {
  /** Absolute path of the project root. */
  readonly projectRoot: string;
  readonly startedIn?: string;
  readonly userConfigDir: string;
  readonly trustsCommands?: boolean;
}
