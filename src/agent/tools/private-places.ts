/**
 * Logins and histories of agents and programs, below the home folder: no command or tool reads
 * them, even with permission, since their content would reach the model provider.
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

/** Settings of tools, which commands may read unless they contain a login. */
export const FILES_WITH_POSSIBLE_LOGINS: readonly string[] = [
  ".config/pip/pip.conf",
  ".config/uv/uv.toml",
  ".config/npm/npmrc",
  ".config/pnpm/rc",
  ".cargo/config.toml",
  ".cargo/config",
];

/**
 * Credentials of one kind of program: hidden from the sandbox until a command that needs them is
 * allowed.
 */
export interface Credential {
  readonly name: string;
  readonly programs: readonly string[];
  /** Below the home folder. */
  readonly files: readonly string[];
  readonly variables: RegExp;
}

export const CREDENTIALS: readonly Credential[] = [
  {
    name: "git and ssh",
    programs: ["git", "ssh", "scp", "sftp", "rsync"],
    files: [".ssh", ".gnupg", ".git-credentials", ".config/git/credentials", ".netrc"],
    variables: /^(SSH_AUTH_SOCK|(GIT|SSH)_ASKPASS|GIT_TOKEN)$/,
  },
  {
    name: "npm",
    programs: ["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx"],
    files: [".npmrc", ".yarnrc.yml", ".config/npm/npmrc", ".config/pnpm/rc"],
    variables: /^(NPM_TOKEN|NODE_AUTH_TOKEN|YARN_NPM_AUTH_TOKEN|NPM_CONFIG_.*)$/i,
  },
  {
    name: "pip",
    programs: ["pip", "pip3", "uv", "uvx", "poetry", "pdm", "hatch", "twine", "pipx"],
    files: [".pypirc", ".config/pip/pip.conf", ".config/uv/uv.toml", ".config/pypoetry/auth.toml"],
    variables: /^(PIP|UV|TWINE|POETRY|PDM)_/,
  },
  {
    name: "cargo",
    programs: ["cargo"],
    files: [".cargo/credentials", ".cargo/credentials.toml", ".cargo/config.toml", ".cargo/config"],
    variables: /^CARGO_(REGISTRY|REGISTRIES)_/,
  },
  {
    name: "RubyGems",
    programs: ["gem", "bundle"],
    files: [".gem/credentials", ".bundle/config"],
    variables: /^(GEM_HOST_API_KEY|BUNDLE_.*)$/,
  },
  {
    name: "Composer",
    programs: ["composer"],
    files: [".composer/auth.json", ".config/composer/auth.json"],
    variables: /^COMPOSER_AUTH$/,
  },
  {
    name: "NuGet",
    programs: ["dotnet", "nuget"],
    files: [".nuget/NuGet/NuGet.Config"],
    variables: /^NUGET_/,
  },
  {
    name: "Maven and Gradle",
    programs: ["mvn", "mvnw", "gradle", "gradlew"],
    files: [".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties"],
    variables: /^(MAVEN_|ORG_GRADLE_PROJECT_)/,
  },
  {
    name: "GitHub",
    programs: ["gh", "hub"],
    files: [".config/gh", ".config/hub"],
    variables: /^(GH_TOKEN|GITHUB_TOKEN|GH_ENTERPRISE_TOKEN|GITHUB_ENTERPRISE_TOKEN)$/,
  },
  {
    name: "GitLab",
    programs: ["glab"],
    files: [".config/glab-cli"],
    variables: /^GITLAB_/,
  },
  {
    name: "Docker",
    programs: ["docker", "podman", "docker-compose"],
    files: [".docker"],
    variables: /^DOCKER_/,
  },
  {
    name: "AWS",
    programs: ["aws", "sam", "cdk"],
    files: [".aws"],
    variables: /^AWS_/,
  },
  {
    name: "Google Cloud",
    programs: ["gcloud", "gsutil", "bq"],
    files: [".config/gcloud"],
    variables: /^(GOOGLE_APPLICATION_CREDENTIALS|CLOUDSDK_.*)$/,
  },
  { name: "Azure", programs: ["az"], files: [".azure"], variables: /^(AZURE|ARM)_/ },
  {
    name: "Kubernetes",
    programs: ["kubectl", "helm"],
    files: [".kube"],
    variables: /^(KUBE|HELM_)/,
  },
  {
    name: "Terraform",
    programs: ["terraform", "tofu"],
    files: [".terraform.d", ".terraformrc"],
    variables: /^TF_/,
  },
  {
    name: "PostgreSQL",
    programs: ["psql", "pg_dump", "pg_restore"],
    files: [".pgpass"],
    variables: /^PG/,
  },
  {
    name: "Vercel",
    programs: ["vercel"],
    files: [".config/vercel", ".local/share/com.vercel.cli"],
    variables: /^VERCEL_/,
  },
  {
    name: "Netlify",
    programs: ["netlify"],
    files: [".config/netlify"],
    variables: /^NETLIFY_/,
  },
  { name: "Fly", programs: ["fly", "flyctl"], files: [".fly"], variables: /^FLY_/ },
  {
    name: "Heroku",
    programs: ["heroku"],
    files: [".config/heroku"],
    variables: /^HEROKU_/,
  },
  {
    name: "Hugging Face",
    programs: ["huggingface-cli", "hf"],
    files: [".cache/huggingface/token", ".huggingface"],
    variables: /^(HF_|HUGGING)/,
  },
];

/** Below the home folder: no tool reads them, and commands only with permission. */
export const PRIVATE_FILES: readonly string[] = [
  ...CREDENTIALS.flatMap(({ files }) => files).filter(
    (file) => !FILES_WITH_POSSIBLE_LOGINS.includes(file),
  ),
  ".config/rclone",
  ".config/sops",
  ".config/doctl",
  ".vault-token",
  ".my.cnf",
  ".mylogin.cnf",
  ".s3cfg",
  ".boto",
  ".password-store",
  ".config/age",
  ".kaggle",
  ".jupyter",
];

const CREDENTIAL_WORDS =
  /(^|_)(TOKEN|SECRET|SECRETS|KEY|KEYS|APIKEY|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|DSN|ASKPASS)(_|$)|PASSWORD/i;
const CREDENTIAL_NAMES = /^(SSH_AUTH_SOCK|GPG_AGENT_INFO|COMPOSER_AUTH|(.*_)?DATABASE_URL)$/i;

/**
 * Returns environment variables that contain credentials, by name or by a password in an address.
 */
export function credentialVariables(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    CREDENTIAL_WORDS.test(name) ||
    CREDENTIAL_NAMES.test(name) ||
    /:\/\/[^\s/@]*:[^\s/@]+@/.test(value ?? "")
      ? [name]
      : [],
  );
}

export function containsLogin(text: string | undefined): boolean {
  return /\/\/[^\s/@]+:[^\s/@]+@|(^|[\s:])(_auth\w*|_password|token|secret-key)\s*=/im.test(
    text ?? "",
  );
}
