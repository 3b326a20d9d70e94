/**
 * Names at the root of a project that git, an editor, a shell or another agent acts upon when the
 * user is there next, outside of any sandbox. In lower case.
 */
export const ACTED_UPON_AT_ROOT: readonly string[] = [
  ".gitmodules",
  ".gitconfig",
  ".envrc",
  ".mcp.json",
  ".vscode",
  ".idea",
  ".zed",
  ".fleet",
  ".devcontainer",
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".opencode",
  ".ripgreprc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
];

/** Of cairn itself, below the root. */
export const OWN_PROJECT_FILES: readonly string[] = [
  ".cairn/config.json",
  ".cairn/cairn.md",
  ".cairn/plans.json",
  ".cairn/tasks.json",
];

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
