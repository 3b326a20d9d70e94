/** Makes of a shell command the one that is run; without a sandbox, itself. */
export type CommandWrapper = (command: string) => Promise<string>;

export const unwrapped: CommandWrapper = async (command) => command;
