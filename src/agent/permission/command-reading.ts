/** One program that a shell command would start. */
export interface ReadCommand {
  /** Words without their quotes; the first is the program, without its folder. Empty: only files. */
  readonly words: readonly string[];
  /** Files that redirections would write. */
  readonly writes: readonly string[];
}

export type CommandReading =
  | { readonly kind: "commands"; readonly commands: readonly ReadCommand[] }
  /** What it would do cannot be told before it runs. */
  | { readonly kind: "unreadable"; readonly reason: string };

export function unreadable(reason: string): CommandReading {
  return { kind: "unreadable", reason };
}

/** Variables by which another program or library is run than the one that is named. */
const LOADERS =
  /^(PATH|LD_[A-Z_]+|DYLD_[A-Z_]+|BASH_ENV|ENV|IFS|NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5(OPT|LIB|DB)|RUBYOPT|RUBYLIB|GIT_[A-Z_]+|EDITOR|VISUAL|PAGER|[A-Z_]*_PAGER|LESSOPEN|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4)$/;

export function isLoaderVariable(name: string): boolean {
  return LOADERS.test(name);
}

/** `/usr/bin/rm` is `rm`; a program of the project keeps its path. */
export function baseName(program: string): string {
  const system = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/.exec(program);
  return system?.[1] ?? program;
}
