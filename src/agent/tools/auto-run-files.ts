import { sep } from "node:path";

/** The names of a config: `lefthook.yml`, `.lefthook.toml` … */
function combineNames(names: string, endings: string): readonly string[] {
  return names.split(" ").flatMap((name) => endings.split(" ").map((ending) => name + ending));
}

const list = (names: string): readonly string[] => names.split(" ");

/**
 * Files and folders that git, an editor, a shell, a package manager, a build service or another
 * agent runs or loads outside of the sandbox: names at any depth of a project, in lower case.
 * Permission, sandbox and guard all use this table.
 */
export const AUTO_RUN_FILES: readonly string[] = [
  // git and programs that it runs
  ".gitmodules",
  ".gitconfig",
  ".husky",
  ".githooks",
  ".pre-commit-config.yaml",
  ".pre-commit-config.yml",
  ...combineNames(
    "lefthook .lefthook lefthook-local .lefthook-local .config/lefthook .config/lefthook-local",
    ".yml .yaml .toml .json",
  ),
  ".overcommit.yml",
  ".lintstagedrc",
  ...combineNames(
    ".lintstagedrc lint-staged.config",
    ".json .yaml .yml .js .mjs .cjs .ts .mts .cts",
  ),
  ".huskyrc",
  ...combineNames(".huskyrc .simple-git-hooks simple-git-hooks", ".json .js .cjs .mjs"),
  ...list("captainhook.json grumphp.yml .rusty-hook.toml hk.pkl prek.toml"),
  ".vscode",
  ".idea",
  ".zed",
  ".fleet",
  ".devcontainer",
  ".exrc",
  ".vimrc",
  ".nvimrc",
  ".nvim.lua",
  ".dir-locals.el",
  ...list(
    ".dir-locals-2.el .helix .vim .nvim .lvimrc .lazy.lua .ycm_extra_conf.py .vs .nova .theia",
  ),
  ...list(".run .externaltoolbuilders"),
  // hosted workspaces
  ...list(".gitpod.yml .gitpod.dockerfile .replit .idx .codesandbox .stackblitzrc devfile.yaml"),
  ...list(".devfile.yaml"),
  ".ripgreprc",
  ".envrc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ...list(".zlogout .kshrc .cshrc .tcshrc .login .autoenv .autoenv.zsh .config/fish"),
  ...combineNames("mise .mise mise.local .mise.local .rtx .config/mise", ".toml"),
  ...list("mise/config.toml .mise/config.toml .config/mise .bazelversion"),
  ".tool-versions",
  "rust-toolchain",
  "rust-toolchain.toml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".yarn/releases",
  ".yarn/plugins",
  ".pnpmfile.cjs",
  ".cargo",
  ".mvn",
  ".bazelrc",
  "bunfig.toml",
  ...list(".pnp.cjs .pnp.loader.mjs .pnpmfile.mjs .yarn/sdks .bundle gradle/wrapper nuget.config"),
  ...list(".jvmopts .sbtopts .sbtrc .buckconfig .pants.rc latexmkrc .latexmkrc"),
  // interpreters and debuggers, which run them at start
  ...list(".rprofile .renviron .irbrc .pryrc .rdbgrc .rspec .gdbinit .lldbinit .pdbrc .ghci"),
  ...list(".ocamlinit .iex.exs .octaverc"),
  ".github/workflows",
  ".github/actions",
  ".gitlab-ci.yml",
  ".circleci",
  ...list(".gitea/workflows .gitea/actions .forgejo/workflows .forgejo/actions jenkinsfile"),
  ...combineNames(
    "azure-pipelines bitbucket-pipelines .travis appveyor .appveyor .drone",
    ".yml .yaml",
  ),
  ...combineNames(".woodpecker .cirrus cloudbuild codemagic bitrise wercker", ".yml .yaml"),
  ...list(".azure-pipelines .woodpecker .buildkite .semaphore .teamcity"),
  "agents.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  ".github/copilot-instructions.md",
  ".cursorrules",
  ".windsurfrules",
  ".mcp.json",
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".opencode",
  "opencode.json",
  ".aider.conf.yml",
  ...list(".github/instructions .github/prompts .github/chatmodes .github/agents opencode.jsonc"),
  ...list(".windsurf .clinerules .roo .roorules .roomodes .kilocode .kilocodemodes .kiro .amazonq"),
  ...list(".trae .augment .augment-guidelines .junie .qwen qwen.md .crush .crush.json crush.json"),
  ...list(
    "crush.md .goose .goosehints .continue .continuerc.json .factory .agents .agent agent.md",
  ),
  ...list("warp.md .rules mcp.json .openhands .openhands_instructions .zencoder"),
  ".cairn/config.json",
  ".cairn/cairn.md",
  ".cairn/plans.json",
  ".cairn/tasks.json",
  ".cairn/skills",
  ".cairn/subagents",
  ".cairn/commands",
];

/** Maximum number of path segments of an entry. */
const MAX_ENTRY_DEPTH = 2;

const ENTRY_SET: ReadonlySet<string> = new Set(AUTO_RUN_FILES);
/** Workspace files of editors, which may have any name. */
const WORKSPACE_FILE = /\.(code-workspace|sublime-project)$/;

/** True if the path is in the table or below an entry. */
export function isAutoRun(path: string): boolean {
  const parts = path.toLowerCase().split(sep);
  return parts.some((_part, from) => isEntry(parts, from));
}

export function isAutoRunFile(path: string): boolean {
  const parts = path.toLowerCase().split(sep).slice(-MAX_ENTRY_DEPTH);
  if (WORKSPACE_FILE.test(path.toLowerCase())) return true;
  return parts.some((_part, from) => ENTRY_SET.has(parts.slice(from).join("/")));
}

const ENTRY_FOLDERS: ReadonlySet<string> = new Set(
  AUTO_RUN_FILES.filter((entry) => entry.includes("/")).map((entry) => entry.split("/")[0] ?? ""),
);

/** True for the first segment of an entry with two, such as `.github`. */
export function isAutoRunFolder(name: string): boolean {
  return ENTRY_FOLDERS.has(name.toLowerCase());
}

function isEntry(parts: readonly string[], from: number): boolean {
  if (WORKSPACE_FILE.test(parts[from] ?? "")) return true;
  for (let length = 1; length <= MAX_ENTRY_DEPTH; length += 1) {
    if (ENTRY_SET.has(parts.slice(from, from + length).join("/"))) return true;
  }
  return false;
}

export const AUTO_RUN_HOME_FILES: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
  ".docker",
  ".config",
  ".local",
  ".npmrc",
  ".netrc",
  ".inputrc",
  ".xprofile",
  ".pam_environment",
  ".nvm",
  ".bun",
  ".cargo",
  ".rustup",
  ".gradle",
  ".m2",
  ".yarn",
  ".pyenv",
  ".rbenv",
  ".asdf",
  "bin",
  "go/bin",
  "Library/LaunchAgents",
];
