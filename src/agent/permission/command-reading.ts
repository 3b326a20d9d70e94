/** One program that a shell command would start. */
export interface ReadCommand {
  /** Words without their quotes; the first is the program, without its folder. Empty: only files. */
  readonly words: readonly string[];
  /** Files that redirections would write. */
  readonly writes: readonly string[];
  /** Files that redirections would read. */
  readonly reads: readonly string[];
  /** Of `words` and `reads`, those that are known at run time only: `$x`, `{a,b}`. */
  readonly unknown: readonly string[];
  /** Of `words` and `reads`, those that the shell looks for files by: `*.ts`. */
  readonly globs: readonly string[];
  /** It sets variables, by which it or what follows may do something else. */
  readonly assigns: boolean;
  /** Another program starts it, which may give it more words or run a file of that name. */
  readonly isStarted: boolean;
  /** It stands in a loop, and may run again where a later command has led. */
  readonly isRepeated: boolean;
}

export type CommandReading =
  | { readonly kind: "commands"; readonly commands: readonly ReadCommand[] }
  /** `commands`: those that were found nevertheless; there may be others, in any order. */
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

export const CHANGES_PROGRAMS = "it changes which programs are found or loaded";
export const MEANS_TWO_THINGS = "it means one thing to bash and another to sh";

/** Variables by which another program or library is run than the one that is named. */
const LOADERS =
  /^(PATH|HOME|ZDOTDIR|CDPATH|XDG_[A-Z_]+|LD_[A-Z_]+|DYLD_[A-Z_]+|BASH_ENV|ENV|IFS|NODE_OPTIONS|NODE_PATH|PYTHON(STARTUP|PATH|HOME)|PERL5(OPT|LIB|DB)|RUBYOPT|RUBYLIB|GIT_[A-Z_]+|EDITOR|VISUAL|PAGER|[A-Z_]*_PAGER|LESSOPEN|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4|[A-Z_]*CONFIG_PATH|npm_config_\w+|RUSTC(_\w+)?|CARGO_\w+|GOFLAGS|MAKEFLAGS)$/;

export function isLoaderVariable(name: string): boolean {
  return LOADERS.test(name);
}

/** `/usr/bin/rm` is `rm`; a program of the project keeps its path. */
export function baseName(program: string): string {
  const system = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/.exec(program);
  return system?.[1] ?? program;
}
