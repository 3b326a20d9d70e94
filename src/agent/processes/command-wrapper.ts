interface WrappedCommand {
  /** What is run. */
  readonly command: string;
  /** To be called once it has ended. */
  readonly finished?: () => void;
}

/** Makes of a shell command the one that is run; without a sandbox, itself. */
export type CommandWrapper = (command: string) => Promise<WrappedCommand>;

export const unwrapped: CommandWrapper = async (command) => ({ command });
