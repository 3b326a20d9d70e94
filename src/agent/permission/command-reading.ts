export interface ReadCommand {
  /** Unquoted; the first is the program without its folder. Empty: only redirections. */
  readonly words: readonly string[];
  /** Targets of redirections. */
  readonly writes: readonly string[];
  /** Sources of redirections. */
  readonly reads: readonly string[];
  /** Words and reads that are known only at run time: `$x`, `{a,b}`. */
  readonly unknown: readonly string[];
  /** Words and reads that the shell expands to file names: `*.ts`. */
  readonly globs: readonly string[];
  /** It sets variables, which may change what it or a later command does. */
  readonly assigns: boolean;
  /** Another program starts it and may add words or run a file of that name. */
  readonly isStarted: boolean;
  /** It is in a loop and may run again in the folder of a later command. */
  readonly isRepeated: boolean;
}

export type CommandReading =
  | { readonly kind: "commands"; readonly commands: readonly ReadCommand[] }
  /** `commands`: those that could be parsed, in any order; there may be more. */
  | {
      readonly kind: "unreadable";
      readonly reason: string;
      readonly commands: readonly ReadCommand[];
    };

export const NO_COMMAND: ReadCommand = {
  words: [],
  writes: [],
  reads: [],
  unknown: [],
  globs: [],
  assigns: false,
  isStarted: false,
  isRepeated: false,
};

export function unreadable(
  reason: string,
  commands: readonly ReadCommand[] = [],
): Extract<CommandReading, { readonly kind: "unreadable" }> {
  return { kind: "unreadable", reason, commands };
}

export const CHANGES_PROGRAMS_REASON = "it changes which programs are found or loaded";
export const AMBIGUOUS_REASON = "it means one thing to bash and another to sh";

/** Variables that select which program or library is loaded. */
const LOADER_VARIABLE =
  /^(PATH|HOME|ZDOTDIR|CDPATH|XDG_[A-Z_]+|LD_[A-Z_]+|DYLD_[A-Z_]+|BASH_ENV|ENV|IFS|NODE_OPTIONS|NODE_PATH|PYTHON(STARTUP|PATH|HOME)|PERL5(OPT|LIB|DB)|RUBYOPT|RUBYLIB|GIT_[A-Z_]+|EDITOR|VISUAL|PAGER|[A-Z_]*_PAGER|LESSOPEN|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4|[A-Z_]*CONFIG_PATH|npm_config_\w+|RUSTC(_\w+)?|CARGO_\w+|GOFLAGS|MAKEFLAGS)$/;

export function isLoaderVariable(name: string): boolean {
  return LOADER_VARIABLE.test(name);
}

/** `/usr/bin/rm` is `rm`; a program of the project keeps its path. */
export function baseName(program: string): string {
  const system = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/.exec(program);
  return system?.[1] ?? program;
}
