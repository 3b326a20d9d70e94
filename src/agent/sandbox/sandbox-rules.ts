import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join, parse, resolve } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import type { PermissionRule } from "../permission/permission-types.ts";
import { AUTO_RUN_FILES, AUTO_RUN_HOME_FILES } from "../tools/auto-run-files.ts";
import {
  ALWAYS_PRIVATE,
  CREDENTIALS,
  containsLogin,
  FILES_WITH_POSSIBLE_LOGINS,
  PRIVATE_FILES,
} from "../tools/private-places.ts";
import type { PackageCaches } from "./package-caches.ts";
import type { SandboxRules } from "./sandbox-messages.ts";

/** Below the home folder: tools, their caches, and settings of git and editors; no keys. */
const READABLE_HOME_FILES = [
  ".gitconfig",
  ".gitignore",
  ".gitignore_global",
  ".config/git",
  ".editorconfig",
  ".inputrc",
  ".tool-versions",
  ".nvmrc",
  ".config/mise",
  ".config/nvim",
  ".config/npm",
  ".config/pip",
  ".config/uv",
  ".config/pnpm",
  ".config/yarn",
  ".config/go",
  ".config/nix",
  ".nvm",
  ".fnm",
  ".local/share/fnm",
  ".volta",
  ".n",
  ".asdf",
  ".local/share/mise",
  ".pyenv",
  ".rbenv",
  ".rvm",
  ".jenv",
  ".goenv",
  ".sdkman",
  ".rustup",
  ".cargo",
  ".bun",
  ".deno",
  "go",
  ".npm",
  ".npm-global",
  ".yarn",
  ".pnpm-store",
  ".local/share/pnpm",
  ".local/bin",
  ".local/lib",
  ".local/include",
  ".local/pipx",
  ".local/share/pipx",
  ".local/share/uv",
  ".local/share/virtualenvs",
  ".virtualenvs",
  ".venv",
  "venv",
  "bin",
  ".gradle",
  ".m2",
  ".ivy2",
  ".sbt",
  ".coursier",
  ".nuget",
  ".dotnet",
  ".gem",
  ".bundle",
  ".composer",
  ".ghcup",
  ".stack",
  ".cabal",
  ".opam",
  ".elan",
  ".juliaup",
  ".julia",
  ".mix",
  ".hex",
  ".conda",
  "miniconda3",
  "anaconda3",
  "miniforge3",
  "mambaforge",
  ".nix-profile",
  ".nix-defexpr",
  ".local/state/nix",
  ".linuxbrew",
  ".swiftpm",
  ".pub-cache",
  "flutter",
  "Android/Sdk",
  ".android/sdk",
  "Library/pnpm",
  "Library/Caches",
  "Library/Developer",
  ".cache",
];

function readableHome(path: string | undefined): readonly string[] {
  const home = homedir();
  const named = READABLE_HOME_FILES.map((name) => join(home, name));
  const found = (path ?? "").split(delimiter).filter((folder) => isInside(home, folder));
  // A program in `bin` needs the folders next to it.
  const tools = found.map((folder) => {
    const above = dirname(folder);
    return basename(folder) === "bin" && above !== home ? above : folder;
  });
  return [...new Set([...named, ...tools])].filter((one) => one !== home && existsSync(one));
}

const MAX_READ = 256 * 1024;

export interface SandboxPaths {
  readonly projectRoot: string;
  readonly userConfigDir: string;
  readonly dataDir: string;
  readonly readable?: readonly string[];
  readonly path?: string | undefined;
  /** Undefined: commands use the shared folder. */
  readonly temporary?: string;
  readonly caches?: Pick<PackageCaches, "folder" | "readable">;
  readonly isTrial?: boolean;
}

/** Rules for commands that may use the network. */
export function readableRules(rules: SandboxRules): SandboxRules {
  return { ...rules, network: { ...rules.network, isOpen: true } };
}

export function sandboxRules(
  {
    projectRoot,
    userConfigDir,
    dataDir,
    isTrial,
    readable = [],
    path,
    temporary,
    caches,
  }: SandboxPaths,
  rules: readonly PermissionRule[],
): SandboxRules {
  const root = realPath(projectRoot);
  const home = realPath(homedir());
  const isWholeDisk = root === parse(root).root;
  const holdsHome = isInside(root, home);
  const own = [userConfigDir, dataDir];
  if (isTrial !== true) own.forEach(makePrivate);
  const acted = holdsHome ? [...AUTO_RUN_FILES, ...AUTO_RUN_HOME_FILES] : [];
  const pathsInHome = (names: readonly string[]) => names.map((name) => join(homedir(), name));
  const filesWithLogins = pathsInHome(FILES_WITH_POSSIBLE_LOGINS).filter((file) =>
    containsLogin(readSmall(file)),
  );
  const places = [...ALWAYS_PRIVATE, ...PRIVATE_FILES];
  const hidden = [...own, ...pathsInHome(places), ...filesWithLogins];
  const git = linkedGit(root);
  const ofCaches = caches === undefined ? [] : [caches.folder];
  const seeds = caches?.readable ?? [];
  const allowRead = [root, ...readableHome(path), ...git.folders, ...seeds, ...readable].map(
    realPath,
  );
  return {
    filesystem: {
      allowWrite: [
        ...(isWholeDisk ? [] : [root]),
        ...(temporary === undefined ? [tmpdir()] : []),
        ...ofCaches,
        ...(git.isItsOwn ? git.folders : []),
      ].filter(existsSync),
      denyWrite: [...own, ...pathsInHome(acted)].filter(existsSync),
      // A project that contains the home folder stays readable, except for private files.
      denyRead: [...(holdsHome ? [] : [home]), ...hidden].filter(existsSync),
      allowRead: [
        ...(holdsHome ? [] : allowRead),
        ...ofCaches,
        join(userConfigDir, "skills"),
      ].filter(existsSync),
      credentials: Object.fromEntries(
        CREDENTIALS.map(({ name, files }) => [name, pathsInHome(files).filter(existsSync)]),
      ),
    },
    network: { allow: allowedHosts(rules), isOpen: false },
    project: isWholeDisk
      ? undefined
      : {
          root,
          gitFolders: git.isItsOwn ? git.folders : [],
          elsewhere: [...ofCaches, ...(temporary === undefined ? [] : [temporary])].map(realPath),
          asideFolder: join(dataDir, "set-aside"),
        },
    ...(temporary !== undefined && { temporary }),
  };
}

interface LinkedGit {
  /** The project's git folder and its common folder. */
  readonly folders: readonly string[];
  /** They name the project, as git records worktrees and submodules. */
  readonly isItsOwn: boolean;
}

/** For a linked worktree or a submodule. */
function linkedGit(root: string): LinkedGit {
  const named = /^gitdir: (.+?)\s*$/.exec(readSmall(join(root, ".git")) ?? "")?.[1];
  if (named === undefined) return { folders: [], isItsOwn: false };
  const own = realPath(resolve(root, named));
  const shared = readSmall(join(own, "commondir"))?.trim();
  const common = shared === undefined ? own : realPath(resolve(own, shared));
  const folders = [own, common];
  if (shared !== undefined) {
    const back = readSmall(join(own, "gitdir"))?.trim() ?? "";
    const isInWorktrees = dirname(own) === join(common, "worktrees");
    const isItsOwn = isInWorktrees && realPath(resolve(own, back)) === join(root, ".git");
    return { folders, isItsOwn };
  }
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readSmall(join(own, "config")) ?? "")?.[1];
  return { folders, isItsOwn: tree !== undefined && realPath(resolve(own, tree)) === root };
}

function readSmall(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").slice(0, MAX_READ);
  } catch {
    return undefined;
  }
}

/** Hosts that rules for `network` allow and no later one denies. */
export function allowedHosts(rules: readonly PermissionRule[]): readonly string[] {
  const hosts = new Set<string>();
  for (const { tool, pattern, action, tightens } of rules) {
    if (tool !== "network") continue;
    if (action === "allow" && tightens !== true) {
      if (pattern !== undefined && HOST_PATTERN.test(pattern)) hosts.add(pattern);
    } else if (pattern === undefined) hosts.clear();
    else hosts.delete(pattern);
  }
  return [...hosts];
}

/** The library's proxy supports no other patterns. */
const HOST_PATTERN = /^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?$/;

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (
      !["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    ) {
      throw error;
    }
  }
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
