/** One command as a page shows it, without what a comment says behind it. */
export interface TypedCommand {
  readonly line: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What a program before `|` writes. */
  readonly fed?: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

/** Words of a shell command; only quotes and variables are used, and `#` begins a comment. */
export function wordsOf(command: string, variables: Variables = {}): string[] {
  const filled = command.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => variables[name] ?? "");
  const words = filled.matchAll(/"([^"]*)"|'([^']*)'|(#.*$)|([^\s"'#]\S*)/g);
  return Array.from(words)
    .filter(([, , , comment]) => comment === undefined)
    .map(([, double, single, , bare]) => double ?? single ?? bare ?? "");
}

/** The commands of a block, each on its line, or fed by one other program. */
export function commandsOf(block: string, variables: Variables = {}): TypedCommand[] {
  const lines = block.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const words = wordsOf(line, variables);
    const pipe = words.indexOf("|");
    const [program, ...args] = words.slice(pipe + 1);
    if (program === undefined) return [];
    return [{ line, program, args, ...(pipe > 0 && { fed: words.slice(0, pipe) }) }];
  });
}
