/** They only look. What they print may be redirected; that is judged on its own. */
const READERS = new Set(
  "ls cat head tail wc echo printf pwd cd true false test [ stat file du df tree grep egrep fgrep rg ag cut tr uniq comm cmp diff basename dirname realpath readlink which type date whoami id uname hostname nproc jq column nl tac rev seq sleep sha256sum md5sum cksum strings hexdump od xxd wait".split(
    " ",
  ),
);
const READING_SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(
    "status log diff show blame ls-files ls-tree rev-parse describe shortlog cat-file grep name-rev merge-base".split(
      " ",
    ),
  ),
  npm: new Set(["ls", "list", "why", "explain"]),
  cargo: new Set(["tree", "metadata"]),
  go: new Set(["list", "env", "version", "doc"]),
};
/** Options of readers that write or run something after all. */
const WRITING_OPTIONS =
  /^(-o|--output(=|$)|--ext-diff|--textconv|--pre(=|$)|--open-files-in-pager|-O)/;

/** Whether the command changes nothing, whatever its arguments say. */
export function onlyReads(words: readonly string[]): boolean {
  const [program = "", first = "", ...rest] = words;
  if ([first, ...rest].some((word) => WRITING_OPTIONS.test(word))) return false;
  if (READERS.has(program)) return program !== "date" || !words.some((w) => /^(-s|--set)/.test(w));
  const subcommands = Object.hasOwn(READING_SUBCOMMANDS, program)
    ? READING_SUBCOMMANDS[program]
    : undefined;
  if (subcommands?.has(first) === true) return true;
  return rest.length === 0 && (first === "--version" || first === "--help");
}
