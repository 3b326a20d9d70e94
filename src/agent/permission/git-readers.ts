import type { Reader } from "./readers.ts";

const list = (names: string): readonly string[] => names.split(" ");

const COMMIT_OPTIONS =
  "oneline stat shortstat numstat summary name-only name-status graph decorate no-decorate all branches tags remotes author committer since until after before grep format pretty abbrev abbrev-commit no-abbrev-commit date relative-date reverse follow patch no-patch max-count skip no-merges merges first-parent diff-filter color no-color cherry-pick left-right topo-order date-order unified ignore-all-space ignore-space-change ignore-blank-lines word-diff minimal patience histogram find-renames find-copies no-renames no-ext-diff no-textconv full-history simplify-by-decoration pickaxe-regex cc raw root walk-reflogs";
const DIFF_OPTIONS =
  "cached staged stat shortstat numstat summary name-only name-status diff-filter color no-color unified ignore-all-space ignore-space-change ignore-blank-lines word-diff minimal patience histogram find-renames find-copies no-renames no-ext-diff no-textconv patch no-patch check exit-code quiet merge-base raw abbrev compact-summary dirstat no-prefix";
const LOG_READER: Reader = {
  flags: "pwbcmuzsg",
  valued: "nSGLUMC",
  numbers: true,
  long: list(COMMIT_OPTIONS),
  longValued: list("author since until after before grep max-count skip"),
};

/** Settings of git that contain no secret. */
export const PLAIN_SETTING =
  /^(user\.(name|email)|remote\.[^:]+\.(url|fetch)|init\.defaultbranch|core\.[a-z]+|branch\.[^:]+|push\.default|pull\.rebase)$/i;

/** By subcommand. Programs in git's config are checked separately. */
export const GIT_READERS: Readonly<Record<string, Reader>> = {
  status: {
    flags: "sbuvz",
    long: list(
      "short branch porcelain untracked-files ignored long show-stash ahead-behind no-renames column",
    ),
  },
  log: LOG_READER,
  show: LOG_READER,
  shortlog: { flags: "nse", long: list("summary numbered email all since until no-merges") },
  diff: { flags: "pwbuzsR", valued: "USGMC", long: list(DIFF_OPTIONS) },
  blame: { flags: "wslfenptMC", valued: "L", long: list("date porcelain line-porcelain") },
  "ls-files": {
    flags: "cdmoiskuztv",
    valued: "x",
    long: list(
      "others cached modified deleted exclude-standard stage error-unmatch full-name unmerged ignored directory",
    ),
  },
  "ls-tree": {
    flags: "drtlz",
    long: list("name-only name-status full-name full-tree long abbrev"),
  },
  "rev-parse": {
    flags: "q",
    long: list(
      "show-toplevel abbrev-ref short verify git-dir absolute-git-dir git-common-dir is-inside-work-tree is-bare-repository show-prefix show-cdup symbolic-full-name all branches",
    ),
  },
  "rev-list": { numbers: true, valued: "n", long: list(`${COMMIT_OPTIONS} count left-right`) },
  describe: { long: list("tags always dirty abbrev long exact-match match all contains") },
  "cat-file": { flags: "pte" },
  grep: {
    flags: "niIlLcwvEFGPhHpqrW",
    valued: "eABCm",
    numbers: true,
    long: list(
      "line-number ignore-case files-with-matches files-without-match count word-regexp invert-match extended-regexp fixed-strings perl-regexp name-only cached untracked heading break show-function function-context column only-matching and or not max-depth",
    ),
  },
  "name-rev": { long: list("name-only tags refs always") },
  "merge-base": { flags: "a", long: list("all is-ancestor fork-point octopus") },
  branch: {
    flags: "avr",
    operands: 0,
    long: list(
      "all remotes list show-current merged no-merged contains sort format verbose column",
    ),
  },
  tag: { flags: "l", operands: 0, long: list("list sort format merged contains points-at") },
  remote: { flags: "v", operands: 0, long: list("verbose") },
  "config --get": { operands: 1, operand: PLAIN_SETTING },
  config: { operands: 1, operand: PLAIN_SETTING },
  "stash list": { operands: 0 },
  "worktree list": { operands: 0, long: list("porcelain") },
};
