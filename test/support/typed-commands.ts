export interface TypedCommand {
  readonly line: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly fed?: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

/** Splits a shell command into words. Supports quotes, variables and comments only. */
export function wordsOf(command: string, variables: Variables = {}): string[] {
  const filled = command.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => variables[name] ?? "");
  const words = filled.matchAll(/"([^"]*)"|'([^']*)'|(#.*$)|([^\s"'#]\S*)/g);
  return Array.from(words)
    .filter(([, , , comment]) => comment === undefined)
    .map(([, double, single, , bare]) => double ?? single ?? bare ?? "");
}

/** Parses the commands of a block, one per line, each with at most one pipe. */
export function parseCommands(block: string, variables: Variables = {}): TypedCommand[] {
  const lines = block.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const words = wordsOf(line, variables);
    const pipe = words.indexOf("|");
    const [program, ...args] = words.slice(pipe + 1);
    if (program === undefined) return [];
    return [{ line, program, args, ...(pipe > 0 && { fed: words.slice(0, pipe) }) }];
  });
}
