/**
 * Log-ins and histories below the home folder, of other agents and programs: no command and no tool
 * reads them, whatever it was allowed. What is read goes to the model's provider.
 */
export const ALWAYS_PRIVATE: readonly string[] = [
  ".codex",
  ".claude/.credentials.json",
  ".claude.json",
  ".gemini",
  ".cursor",
  ".local/share/opencode",
  ".config/opencode",
  ".config/github-copilot",
  ".config/goose",
  ".aider",
  ".continue",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".thunderbird",
  ".local/share/keyrings",
  ".config/keepassxc",
  ".config/1Password",
  ".config/Bitwarden",
  ".electrum",
  ".bitcoin",
  ".ethereum",
  ".config/solana",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  ".sqlite_history",
  ".lesshst",
  ".viminfo",
  ".local/share/fish/fish_history",
  "Library/Keychains",
  "Library/Cookies",
];

/** Keys for git and ssh, which a command that needs them is given once it was allowed. */
export const GIT_KEYS: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".git-credentials",
  ".config/git/credentials",
  ".netrc",
];

/** Other keys of the person's below the home folder. */
export const OTHER_KEYS: readonly string[] = [
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/rclone",
  ".config/sops",
  ".config/doctl",
  ".config/heroku",
  ".config/netlify",
  ".config/vercel",
  ".local/share/com.vercel.cli",
  ".fly",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".bundle/config",
  ".composer/auth.json",
  ".config/composer/auth.json",
  ".nuget/NuGet/NuGet.Config",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".terraform.d",
  ".terraformrc",
  ".vault-token",
  ".pgpass",
  ".my.cnf",
  ".mylogin.cnf",
  ".s3cfg",
  ".boto",
  ".password-store",
  ".config/age",
  ".cache/huggingface/token",
  ".huggingface",
  ".kaggle",
  ".jupyter",
];

/** Settings of tools, which commands read, unless somebody has written a log-in into them. */
export const MAY_HOLD_LOG_INS: readonly string[] = [
  ".config/pip/pip.conf",
  ".config/uv/uv.toml",
  ".config/npm/npmrc",
  ".config/pnpm/rc",
  ".cargo/config.toml",
  ".cargo/config",
];

/** A name and a password in an address, or a token by its name. */
export function holdsLogIn(text: string | undefined): boolean {
  return /\/\/[^\s/@]+:[^\s/@]+@|(^|[\s:])(_auth\w*|_password|token|secret-key)\s*=/im.test(
    text ?? "",
  );
}
