export type Risk =
  | "network"
  | "publish"
  | "delete"
  | "privilege"
  | "keys"
  | "config"
  | "programs"
  | "forbidden";

export interface Program {
  readonly always?: Risk;
  /** By the first word without a dash; a pair of words is looked up first. */
  readonly sub?: Readonly<Record<string, Risk>>;
  readonly words?: readonly (readonly [RegExp, Risk])[];
  readonly options?: readonly (readonly [RegExp, Risk])[];
  /** By a word after a subcommand. */
  readonly subWords?: Readonly<Record<string, readonly [RegExp, Risk]>>;
  /** Options before the subcommand that take a value. */
  readonly valued?: readonly string[];
  /** Options before the subcommand that take no value; others may or may not. */
  readonly plain?: RegExp;
  readonly runs?: readonly string[];
}

/** Subcommands of a risk, separated by a comma and a blank: `push, lfs push`. */
const risksOf = (risk: Risk, names: string): Record<string, Risk> =>
  Object.fromEntries(names.split(", ").map((name) => [name, risk]));

const programsOf = (names: string, program: Program): Record<string, Program> =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]));

const PACKAGE_MANAGERS = {
  ...risksOf(
    "network",
    "install, i, ci, add, update, upgrade, up, create, init, exec, dlx, x, audit, outdated, view, info, search, login, import, dedupe",
  ),
  ...risksOf("publish", "publish, unpublish, deprecate, dist-tag, owner, access, token, adduser"),
} as const;

const CONTAINER_PROGRAM: Program = {
  sub: {
    ...risksOf("network", "pull, run, build, compose, exec, login, buildx, search"),
    ...risksOf("network", "image pull, image build, container run, container exec, stack"),
    ...risksOf("publish", "push, image push, manifest push, compose push, trust"),
    ...risksOf("delete", "rm, rmi, prune, system, volume, image rm, image prune"),
    ...risksOf("delete", "container rm, container prune, builder, network rm, network prune"),
  },
};
const RUN_PROGRAM: Program = { runs: ["run"] };

export const PROGRAMS: Readonly<Record<string, Program>> = {
  ...programsOf(
    "curl wget http https xh nc ncat netcat socat telnet ftp lftp ping dig nslookup host aria2c npx bunx uvx pipx",
    { always: "network" },
  ),
  ...programsOf(
    "ssh scp sftp rsync gh glab hub aws gcloud az kubectl helm terraform tofu pulumi ansible ansible-playbook vercel netlify fly flyctl heroku wrangler firebase twine mail sendmail rclone s3cmd",
    { always: "publish" },
  ),
  ...programsOf(
    "sudo doas su pkexec mount umount systemctl service launchctl crontab at useradd usermod visudo iptables nft insmod modprobe reboot shutdown halt poweroff",
    { always: "privilege" },
  ),
  ...programsOf("rm rmdir unlink shred srm wipe truncate dd mkfs wipefs trash", {
    always: "delete",
  }),
  ...programsOf("secret-tool security pass op bw keyctl kwallet-query ssh-add", { always: "keys" }),
  ...programsOf("pipenv rye hatch conda", RUN_PROGRAM),
  ...programsOf("python python3 py", { runs: ["-m"] }),
  corepack: { runs: [""] },
  mise: { runs: ["exec", "x"] },
  direnv: { runs: ["exec"] },
  apt: { always: "privilege" },
  "apt-get": { always: "privilege" },
  brew: { always: "network" },
  npm: { sub: PACKAGE_MANAGERS, words: [[/^--registry/, "publish"]], valued: ["--prefix", "-C"] },
  pnpm: { sub: PACKAGE_MANAGERS, valued: ["-C", "--dir", "--filter"] },
  yarn: {
    sub: { ...PACKAGE_MANAGERS, "npm publish": "publish" },
    valued: ["--cwd"],
    runs: ["workspace", "workspaces", "foreach"],
  },
  bun: { sub: PACKAGE_MANAGERS, valued: ["--cwd"] },
  deno: { sub: risksOf("network", "install, add, publish, upgrade") },
  pip: { sub: risksOf("network", "install, download, search, wheel") },
  pip3: { sub: risksOf("network", "install, download, search, wheel") },
  uv: {
    sub: { ...risksOf("network", "add, sync, pip, tool, lock"), publish: "publish" },
    runs: ["run"],
  },
  poetry: {
    sub: { ...risksOf("network", "install, add, update"), publish: "publish" },
    runs: ["run"],
  },
  cargo: {
    sub: {
      ...risksOf("network", "install, fetch, update, search, add"),
      ...risksOf("publish", "publish, yank, owner, login"),
    },
  },
  go: { sub: risksOf("network", "get, install") },
  gem: { sub: { ...risksOf("network", "install, update"), ...risksOf("publish", "push, yank") } },
  bundle: { sub: risksOf("network", "install, update, add"), runs: ["exec"] },
  composer: { sub: risksOf("network", "install, update, require") },
  mvn: { sub: { deploy: "publish" } },
  docker: CONTAINER_PROGRAM,
  podman: CONTAINER_PROGRAM,
  git: {
    valued: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"],
    plain:
      /^-([pPC].*|-(no-pager|paginate|bare|no-replace-objects|no-optional-locks|no-lazy-fetch|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|no-advice))$/,
    words: [
      [/^(--config-env|--exec-path|--upload-pack|--receive-pack|--template)(=|$)/, "programs"],
      [/^--remote(=|$)/, "network"],
    ],
    // After a subcommand it counts (`grep -c`) or creates (`switch -c`).
    options: [[/^-c$/, "programs"]],
    sub: {
      ...risksOf("publish", "push, send-email, svn, p4, send-pack, http-push, imap-send"),
      ...risksOf("publish", "lfs push, subtree push, cvsexportcommit"),
      ...risksOf("network", "pull, fetch, clone, ls-remote, submodule, remote, fetch-pack"),
      ...risksOf("network", "http-fetch, lfs, subtree, annex, daemon, instaweb"),
      ...risksOf(
        "delete",
        "clean, restore, checkout, rm, gc, prune, filter-branch, filter-repo, update-ref, reflog, replace, stash drop, stash clear, worktree remove, worktree prune",
      ),
      ...risksOf("keys", "credential, credential-cache, credential-store"),
      ...risksOf("config", "config, maintenance"),
      ...risksOf("programs", "bisect, difftool, mergetool, hook"),
    },
    subWords: {
      // `--hard`, `--merge`, `--keep` and their abbreviations.
      reset: [/^--[hmk]/, "delete"],
      branch: [/^(-[a-zA-Z]*[dDfMC]|--(delete|force|move)$)/, "delete"],
      tag: [/^(-[a-zA-Z]*[df]|--(delete|force)$)/, "delete"],
      switch: [/^(-[a-zA-Z]*[fC]|--(force|discard-changes|force-create)$)/, "delete"],
      "read-tree": [/^(-[a-z]*u|--reset)$/, "delete"],
      "checkout-index": [/^(-[a-z]*f|--force$)/, "delete"],
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
