import { PLAIN_SETTING } from "./git-readers.ts";

/** What a program does that is asked for in every mode. */
export type Risk = "network" | "publish" | "delete" | "privilege" | "config" | "forbidden";

export const RISK_REASONS: Readonly<Record<Risk, string>> = {
  network: "it reaches the network",
  publish: "others will see what it sends",
  delete: "it deletes or overwrites what git may not hold",
  privilege: "it asks for the rights of another user",
  config: "it changes what other programs run later",
  forbidden: "trusting a project is for you alone",
};

interface Program {
  /** Of every call. */
  readonly always?: Risk;
  /** By the first word that is no option; one with two words is looked up first. */
  readonly sub?: Readonly<Record<string, Risk>>;
  /** By a word anywhere. */
  readonly words?: readonly (readonly [RegExp, Risk])[];
  /** Options before the subcommand that take a value. */
  readonly valued?: readonly string[];
}

const of = (risk: Risk, ...names: readonly string[]): Record<string, Risk> =>
  Object.fromEntries(names.map((name) => [name, risk]));

const PACKAGES = {
  ...of(
    "network",
    "install",
    "i",
    "ci",
    "add",
    "update",
    "upgrade",
    "up",
    "create",
    "init",
    "exec",
    "dlx",
    "x",
    "audit",
    "outdated",
    "view",
    "info",
    "search",
    "login",
    "import",
    "dedupe",
  ),
  ...of(
    "publish",
    "publish",
    "unpublish",
    "deprecate",
    "dist-tag",
    "owner",
    "access",
    "token",
    "adduser",
  ),
} as const;

/** One line a program. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(
    [
      "curl",
      "wget",
      "http",
      "https",
      "xh",
      "nc",
      "ncat",
      "netcat",
      "socat",
      "telnet",
      "ftp",
      "lftp",
      "ping",
      "dig",
      "nslookup",
      "host",
      "aria2c",
      "npx",
      "bunx",
      "uvx",
      "pipx",
    ].map((name) => [name, { always: "network" as const }]),
  ),
  ...Object.fromEntries(
    [
      "ssh",
      "scp",
      "sftp",
      "rsync",
      "gh",
      "glab",
      "hub",
      "aws",
      "gcloud",
      "az",
      "kubectl",
      "helm",
      "terraform",
      "tofu",
      "pulumi",
      "ansible",
      "ansible-playbook",
      "vercel",
      "netlify",
      "fly",
      "flyctl",
      "heroku",
      "wrangler",
      "firebase",
      "twine",
      "mail",
      "sendmail",
      "rclone",
      "s3cmd",
    ].map((name) => [name, { always: "publish" as const }]),
  ),
  ...Object.fromEntries(
    [
      "sudo",
      "doas",
      "su",
      "pkexec",
      "mount",
      "umount",
      "systemctl",
      "service",
      "launchctl",
      "crontab",
      "at",
      "useradd",
      "usermod",
      "visudo",
      "iptables",
      "nft",
      "insmod",
      "modprobe",
      "reboot",
      "shutdown",
      "halt",
      "poweroff",
    ].map((name) => [name, { always: "privilege" as const }]),
  ),
  ...Object.fromEntries(
    [
      "rm",
      "rmdir",
      "unlink",
      "shred",
      "srm",
      "wipe",
      "truncate",
      "dd",
      "mkfs",
      "wipefs",
      "trash",
    ].map((name) => [name, { always: "delete" as const }]),
  ),
  apt: { always: "privilege" },
  "apt-get": { always: "privilege" },
  brew: { always: "network" },
  npm: { sub: PACKAGES, words: [[/^--registry/, "publish"]], valued: ["--prefix", "-C"] },
  pnpm: { sub: PACKAGES, valued: ["-C", "--dir", "--filter"] },
  yarn: { sub: { ...PACKAGES, "npm publish": "publish" }, valued: ["--cwd"] },
  bun: { sub: PACKAGES, valued: ["--cwd"] },
  deno: { sub: of("network", "install", "add", "publish", "upgrade") },
  pip: { sub: of("network", "install", "download", "search", "wheel") },
  pip3: { sub: of("network", "install", "download", "search", "wheel") },
  uv: { sub: { ...of("network", "add", "sync", "pip", "tool", "lock"), publish: "publish" } },
  poetry: { sub: { ...of("network", "install", "add", "update"), publish: "publish" } },
  cargo: {
    sub: {
      ...of("network", "install", "fetch", "update", "search", "add"),
      ...of("publish", "publish", "yank", "owner", "login"),
    },
  },
  go: { sub: of("network", "get", "install") },
  gem: { sub: { ...of("network", "install", "update"), ...of("publish", "push", "yank") } },
  bundle: { sub: of("network", "install", "update", "add") },
  composer: { sub: of("network", "install", "update", "require") },
  mvn: { sub: { deploy: "publish" } },
  docker: {
    sub: {
      ...of("network", "pull", "run", "build", "compose", "exec", "login"),
      push: "publish",
      ...of("delete", "rm", "rmi", "prune", "system", "volume"),
    },
  },
  podman: {
    sub: {
      ...of("network", "pull", "run", "build", "compose", "exec", "login"),
      push: "publish",
      ...of("delete", "rm", "rmi", "system", "volume"),
    },
  },
  git: {
    valued: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"],
    words: [[/^(-c|--config-env|--exec-path|--upload-pack|--receive-pack)(=|$)/, "config"]],
    sub: {
      ...of("publish", "push", "send-email", "svn"),
      ...of("network", "pull", "fetch", "clone", "ls-remote", "submodule", "remote"),
      ...of(
        "delete",
        "clean",
        "reset",
        "restore",
        "checkout",
        "rm",
        "gc",
        "prune",
        "filter-branch",
        "filter-repo",
        "update-ref",
        "reflog",
        "stash drop",
        "stash clear",
        "branch -D",
        "worktree remove",
      ),
      ...of("config", "config", "bisect", "difftool", "mergetool", "hook"),
    },
  },
  find: {
    words: [
      [/^-delete$/, "delete"],
      [/^-fprint/, "delete"],
    ],
  },
  cairn: { words: [[/^trust$/, "forbidden"]] },
  "cairn-memory": { words: [[/^trust$/, "forbidden"]] },
};

/** Undefined: nothing is known against it. */
export function riskOf(words: readonly string[]): Risk | undefined {
  const [program = "", ...rest] = words;
  if (isOwnTrust(words)) return "forbidden";
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known === undefined) return undefined;
  if (known.always !== undefined) return known.always;
  const byWord = known.words?.find(([pattern]) => rest.some((word) => pattern.test(word)));
  if (byWord !== undefined) return byWord[1];
  const at = subcommandAt(rest, known.valued ?? []);
  const sub = rest[at];
  if (sub === undefined || known.sub === undefined) return undefined;
  // `git checkout -b new` makes a branch and loses nothing.
  if (program === "git" && sub === "checkout" && /^-[bB]$/.test(rest[at + 1] ?? ""))
    return undefined;
  if (program === "git" && sub === "reset" && rest.includes("--soft")) return undefined;
  if (program === "git" && sub === "remote" && rest.slice(at + 1).every((word) => word === "-v")) {
    return undefined;
  }
  if (program === "git" && sub === "config" && isAsked(rest.slice(at + 1))) return undefined;
  if (/[$`*]/.test(sub)) return "config";
  return lookUp(known.sub, `${sub} ${rest[at + 1] ?? ""}`) ?? lookUp(known.sub, sub);
}

/** The command without the options that stand before what is done: `git push` of `git -C . push`. */
export function withoutOptions(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known?.sub === undefined) return words;
  return [program, ...rest.slice(subcommandAt(rest, known.valued ?? []))];
}

/** The words that name what is done: `git push`, `npm run build`. */
export function namingWords(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known?.sub === undefined) return [program];
  const at = subcommandAt(rest, known.valued ?? []);
  if (at !== 0) return words;
  const sub = rest[0];
  if (sub === undefined) return [program];
  return sub === "run" && rest[1] !== undefined ? [program, sub, rest[1]] : [program, sub];
}

/** `--get user.name`. */
function isAsked([how, name = "", ...rest]: readonly string[]): boolean {
  return how === "--get" && PLAIN_SETTING.test(name) && rest.length === 0;
}

function isOwnTrust(words: readonly string[]): boolean {
  return words.some((word) => /(^|\/)cairn(\.js)?$/.test(word)) && words.includes("trust");
}

function subcommandAt(words: readonly string[], valued: readonly string[]): number {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) break;
    if (valued.includes(word)) at += 1;
  }
  return at;
}

function lookUp(table: Readonly<Record<string, Risk>>, name: string): Risk | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
