import type { SpawnOptions, SpawnSyncOptions, spawn } from "node:child_process";
import { distrustProgramsIn, runProgram, runProgramSync, startProgram } from "./programs.ts";

/**
 * Options for cairn's own git calls: no hooks, monitor, pager, editor, credential helper,
 * transport, signing program, user attributes or automatic maintenance. `disableFilters` covers
 * programs with arbitrary config names.
 */
const SAFE_OPTIONS = [
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null"],
  ...["core.pager=cat", "core.editor=false", "core.askPass=", "core.sshCommand=false"],
  ...["sequence.editor=false", "credential.helper=", "protocol.allow=never"],
  ...["commit.gpgSign=false", "tag.gpgSign=false", "log.showSignature=false"],
  ...["gc.auto=0", "maintenance.auto=false", "submodule.recurse=false"],
].flatMap((option) => ["-c", option]);

/** Subcommands that could run configured diff programs. */
const DIFF_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["diff", "diff-files", "diff-index", "diff-tree", "format-patch", "log", "show"].map((name) => [
      name,
      ["--no-ext-diff", "--no-textconv"],
    ]),
  ),
  blame: ["--no-textconv"],
};

/** Variables that name another repository or a program. */
const REMOVED_VARIABLE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND)$/;

export interface SafeGitOptions {
  readonly cwd: string;
  /** Options before the subcommand, such as those of `disableFilters`. */
  readonly config?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts git without running programs named by the repository or its config. */
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

/** Synchronous `startGit`; undefined if git is missing or fails. */
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

/** Like `startGit`; resolves to stdout, and rejects like `execFile`. */
export async function readGitOutput(
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
 * Returns options that disable configured clean, smudge and merge programs, for subcommands that
 * compare, read or write the work tree.
 */
export async function disableFilters(cwd: string): Promise<readonly string[]> {
  const names = await readGitOutput(
    ["config", "--name-only", "-z", "--get-regexp", "^(filter|merge)\\..*\\.[a-z]+$"],
    { cwd, timeout: FILTER_TIMEOUT_MS },
  ).catch((error: { readonly code?: unknown }) => {
    // No such setting.
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
  return [
    ...SAFE_OPTIONS,
    ...config,
    "--no-pager",
    command,
    ...(DIFF_SUBCOMMANDS[command] ?? []),
    ...rest,
  ];
}

function gitEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !REMOVED_VARIABLE.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...{ GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" },
    ...env,
  };
}
