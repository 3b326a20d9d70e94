export interface AgentPaths {
  readonly projectRoot: string;
  readonly startedIn?: string;
  readonly userConfigDir: string;
  readonly trustsCommands?: boolean;
}
