import type { SpawnOptions, SpawnSyncOptions, spawn } from "node:child_process";
import { distrustProgramsIn, runProgram, runProgramSync, startProgram } from "./programs.ts";

/**
 * Git as cairn itself runs it: no hook, monitor, pager, editor, credential helper, transport, signing
 * program, attribute file of the user or automatic maintenance. See `disabledFilters` for programs that
 * the configuration names freely.
 */
const OPTIONS = [
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null"],
  ...["core.pager=cat", "core.editor=false", "core.askPass=", "core.sshCommand=false"],
  ...["sequence.editor=false", "credential.helper=", "protocol.allow=never"],
  ...["commit.gpgSign=false", "tag.gpgSign=false", "log.showSignature=false"],
  ...["gc.auto=0", "maintenance.auto=false", "submodule.recurse=false"],
].flatMap((option) => ["-c", option]);

/** Subcommands that would run the configured programs for differences. */
const COMPARES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["diff", "diff-files", "diff-index", "diff-tree", "format-patch", "log", "show"].map((name) => [
      name,
      ["--no-ext-diff", "--no-textconv"],
    ]),
  ),
  blame: ["--no-textconv"],
};

/** Variables by which the caller's environment names another repository or a program. */
const REMOVED =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND)$/;

export interface SafeGitOptions {
  readonly cwd: string;
  /** Further options before the subcommand, such as those of `disabledFilters`. */
  readonly config?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts git so that nothing that the repository or its configuration names is run. */
export function startGit(
  args: readonly string[],
  { cwd, config, env, ...options }: SafeGitOptions & Omit<SpawnOptions, "cwd" | "env">,
): ReturnType<typeof spawn> {
  distrustProgramsIn(cwd);
  return startProgram("git", gitArguments(args, config), {
    ...{ cwd, env: gitEnvironment(env), windowsHide: true },
    ...options,
  });
}

/** As `startGit`, waiting for the end; undefined if git is missing or fails. */
export function gitOutputSync(
  args: readonly string[],
  { cwd, config, env, ...options }: SafeGitOptions & Omit<SpawnSyncOptions, "cwd" | "env">,
): string | undefined {
  distrustProgramsIn(cwd);
  const { status, stdout } = runProgramSync("git", gitArguments(args, config), {
    ...{ cwd, env: gitEnvironment(env), windowsHide: true },
    stdio: ["ignore", "pipe", "ignore"],
    ...options,
    encoding: "utf8",
  });
  return status === 0 ? stdout : undefined;
}

interface OutputOptions extends SafeGitOptions {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** As `startGit`; standard output. Rejects as `execFile` does. */
export async function gitOutputOf(
  args: readonly string[],
  { cwd, config, env, timeout, signal }: OutputOptions,
): Promise<string> {
  distrustProgramsIn(cwd);
  const { stdout } = await runProgram("git", gitArguments(args, config), {
    ...{ cwd, env: gitEnvironment(env), windowsHide: true, timeout },
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: "utf8",
    ...(signal !== undefined && { signal }),
  });
  return stdout;
}

const FILTER_TIMEOUT_MS = 10_000;

/**
 * Options that turn off the clean, smudge and merge programs of the configuration. Needed by each
 * subcommand that compares, reads or writes the work tree.
 */
export async function disabledFilters(cwd: string): Promise<readonly string[]> {
  const names = await gitOutputOf(
    ["config", "--name-only", "-z", "--get-regexp", "^(filter|merge)\\..*\\.[a-z]+$"],
    { cwd, timeout: FILTER_TIMEOUT_MS },
  ).catch((error: { readonly code?: unknown }) => {
    // 1: no such setting.
    if (error.code === 1) return "";
    throw error;
  });
  const options: string[] = [];
  for (const key of new Set(names.split("\0"))) {
    const [, kind, name] = /^(filter|merge)\.(.+)\.[a-z]+$/.exec(key) ?? [];
    if (kind === undefined || name === undefined) continue;
    const values =
      kind === "merge" ? ["driver=false"] : ["clean=", "smudge=", "process=", "required=false"];
    for (const value of values) options.push("-c", `${kind}.${name}.${value}`);
  }
  return options;
}

function gitArguments(args: readonly string[], config: readonly string[] = []): string[] {
  const [command = "", ...rest] = args;
  return [...OPTIONS, ...config, "--no-pager", command, ...(COMPARES[command] ?? []), ...rest];
}

function gitEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !REMOVED.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...{ GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" },
    ...env,
  };
}
