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
const of = (risk: Risk, names: string): Record<string, Risk> =>
  Object.fromEntries(names.split(", ").map((name) => [name, risk]));

const programs = (names: string, program: Program): Record<string, Program> =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]));

const PACKAGE_MANAGERS = {
  ...of(
    "network",
    "install, i, ci, add, update, upgrade, up, create, init, exec, dlx, x, audit, outdated, view, info, search, login, import, dedupe",
  ),
  ...of("publish", "publish, unpublish, deprecate, dist-tag, owner, access, token, adduser"),
} as const;

const CONTAINER_PROGRAM: Program = {
  sub: {
    ...of("network", "pull, run, build, compose, exec, login, buildx, search"),
    ...of("network", "image pull, image build, container run, container exec, stack"),
    ...of("publish", "push, image push, manifest push, compose push, trust"),
    ...of("delete", "rm, rmi, prune, system, volume, image rm, image prune"),
    ...of("delete", "container rm, container prune, builder, network rm, network prune"),
  },
};
const RUN_PROGRAM: Program = { runs: ["run"] };

export const PROGRAMS: Readonly<Record<string, Program>> = {
  ...programs(
    "curl wget http https xh nc ncat netcat socat telnet ftp lftp ping dig nslookup host aria2c npx bunx uvx pipx",
    { always: "network" },
  ),
  ...programs(
    "ssh scp sftp rsync gh glab hub aws gcloud az kubectl helm terraform tofu pulumi ansible ansible-playbook vercel netlify fly flyctl heroku wrangler firebase twine mail sendmail rclone s3cmd",
    { always: "publish" },
  ),
  ...programs(
    "sudo doas su pkexec mount umount systemctl service launchctl crontab at useradd usermod visudo iptables nft insmod modprobe reboot shutdown halt poweroff",
    { always: "privilege" },
  ),
  ...programs("rm rmdir unlink shred srm wipe truncate dd mkfs wipefs trash", { always: "delete" }),
  ...programs("secret-tool security pass op bw keyctl kwallet-query ssh-add", { always: "keys" }),
  ...programs("pipenv rye hatch conda", RUN_PROGRAM),
  ...programs("python python3 py", { runs: ["-m"] }),
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
  deno: { sub: of("network", "install, add, publish, upgrade") },
  pip: { sub: of("network", "install, download, search, wheel") },
  pip3: { sub: of("network", "install, download, search, wheel") },
  uv: {
    sub: { ...of("network", "add, sync, pip, tool, lock"), publish: "publish" },
    runs: ["run"],
  },
  poetry: {
    sub: { ...of("network", "install, add, update"), publish: "publish" },
    runs: ["run"],
  },
  cargo: {
    sub: {
      ...of("network", "install, fetch, update, search, add"),
      ...of("publish", "publish, yank, owner, login"),
    },
  },
  go: { sub: of("network", "get, install") },
  gem: { sub: { ...of("network", "install, update"), ...of("publish", "push, yank") } },
  bundle: { sub: of("network", "install, update, add"), runs: ["exec"] },
  composer: { sub: of("network", "install, update, require") },
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
      ...of("publish", "push, send-email, svn, p4, send-pack, http-push, imap-send"),
      ...of("publish", "lfs push, subtree push, cvsexportcommit"),
      ...of("network", "pull, fetch, clone, ls-remote, submodule, remote, fetch-pack"),
      ...of("network", "http-fetch, lfs, subtree, annex, daemon, instaweb"),
      ...of(
        "delete",
        "clean, restore, checkout, rm, gc, prune, filter-branch, filter-repo, update-ref, reflog, replace, stash drop, stash clear, worktree remove, worktree prune",
      ),
      ...of("keys", "credential, credential-cache, credential-store"),
      ...of("config", "config, maintenance"),
      ...of("programs", "bisect, difftool, mergetool, hook"),
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
