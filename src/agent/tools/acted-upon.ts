import { sep } from "node:path";

/**
 * What git, an editor, a shell, a package manager, a build service or another agent acts upon when the
 * user is there next, outside of any sandbox: names of files and folders, at any depth of a project. In
 * lower case. The one table for what asks, for what the sandbox keeps and for what is moved aside.
 */
export const ACTED_UPON: readonly string[] = [
  // git, and what runs for it
  ".gitmodules",
  ".gitconfig",
  ".husky",
  ".githooks",
  ".pre-commit-config.yaml",
  ".pre-commit-config.yml",
  "lefthook.yml",
  "lefthook.yaml",
  "lefthook.toml",
  "lefthook-local.yml",
  ".lefthook.yml",
  ".lefthook.yaml",
  ".overcommit.yml",
  ".lintstagedrc",
  ".lintstagedrc.json",
  ".lintstagedrc.js",
  ".lintstagedrc.mjs",
  // editors
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
  ".ripgreprc",
  // shells and version managers
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
  "mise.toml",
  ".mise.toml",
  ".config/mise",
  ".tool-versions",
  "rust-toolchain",
  "rust-toolchain.toml",
  // package managers and builds
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
  // build services
  ".github/workflows",
  ".github/actions",
  ".gitlab-ci.yml",
  ".circleci",
  // agents
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
  // cairn itself
  ".cairn/config.json",
  ".cairn/cairn.md",
  ".cairn/plans.json",
  ".cairn/tasks.json",
  ".cairn/skills",
  ".cairn/subagents",
  ".cairn/commands",
];

/** How many parts of a path an entry has at most. */
const LONGEST = 2;

const ENTRIES: ReadonlySet<string> = new Set(ACTED_UPON);

/** Whether a path names one of these, or what lies in one. */
export function isActedUpon(path: string): boolean {
  const parts = path.toLowerCase().split(sep);
  return parts.some((_part, from) => isEntry(parts, from));
}

/** Whether a path names one of these itself. */
export function isActedUponItself(path: string): boolean {
  const parts = path.toLowerCase().split(sep).slice(-LONGEST);
  return parts.some((_part, from) => ENTRIES.has(parts.slice(from).join("/")));
}

function isEntry(parts: readonly string[], from: number): boolean {
  for (let length = 1; length <= LONGEST; length += 1) {
    if (ENTRIES.has(parts.slice(from, from + length).join("/"))) return true;
  }
  return false;
}

/** What a home folder holds besides; it counts where the project is the home folder or above it. */
export const ACTED_UPON_AT_HOME: readonly string[] = [
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
