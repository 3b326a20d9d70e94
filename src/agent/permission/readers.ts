export interface Reader {
  /** Single letters without a value, which may be joined: `-la`. */
  readonly flags?: string;
  /** Single letters with a value, attached or as the next word. */
  readonly valued?: string;
  /** Long options in full; a value is attached by `=`. */
  readonly long?: readonly string[];
  /** Long options whose value is attached or the next word. */
  readonly longValued?: readonly string[];
  /** `-5` is an option. */
  readonly numbers?: boolean;
  /** Maximum number of operands. */
  readonly operands?: number;
  readonly operand?: RegExp;
  readonly never?: RegExp;
  /** All arguments are plain text. */
  readonly takesAnything?: true;
  /** Folders are refused, since it follows the links in them. */
  readonly filesOnly?: boolean;
}

const splitList = (names: string): readonly string[] => names.split(" ");
const CHECKSUM_READER: Reader = { flags: "btz", long: splitList("binary tag text zero") };
const GREP_READER: Reader = {
  flags: "EFGPivwxcloLnqshHrabzZTUyu",
  valued: "emABC",
  numbers: true,
  long: splitList(
    "include exclude exclude-dir color colour count ignore-case line-number files-with-matches files-without-match recursive word-regexp line-regexp extended-regexp fixed-strings basic-regexp perl-regexp invert-match max-count only-matching quiet silent no-messages with-filename no-filename after-context before-context context null text binary-files line-buffered regexp byte-offset initial-tab",
  ),
};
/** Matches only patterns that every `sed` reads alike: no end within a set. */
const PATTERN = String.raw`/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]/\n]*\])+/`;
const SED_ADDRESS = String.raw`(?:\d+|\$|${PATTERN})`;
const SED_COMMAND = String.raw`(?:${SED_ADDRESS}(?:,(?:${SED_ADDRESS}|\+\d+))?)?!?[pdq=]`;
/** Addresses by number or pattern: `1,20p`, `/a/,/b/p`, `5q`. */
const SED_SCRIPT = new RegExp(`^${SED_COMMAND}(?:; ?${SED_COMMAND})*;?$`);

/** Built into the shell, which looks for no file of that name. */
export const BUILT_IN_COMMANDS: ReadonlySet<string> = new Set(
  splitList("cd pwd echo printf true false : test [ type wait command read"),
);

export const READERS: Readonly<Record<string, Reader>> = {
  cd: { flags: "PL", operands: 1 },
  pwd: { flags: "PL", operands: 0 },
  echo: { takesAnything: true },
  printf: { never: /^-/ },
  true: {},
  false: {},
  ":": {},
  // `-v name[…]` evaluates the text in brackets, which may run a command.
  test: { takesAnything: true, never: /^-[vR]$|[$`]/ },
  "[": { takesAnything: true, never: /^-[vR]$|[$`]/ },
  type: { flags: "apPt" },
  command: { flags: "vV" },
  which: { flags: "as" },
  wait: { operands: 0 },
  read: { flags: "r", operand: /^(?!npm_)[a-z_]+$/ },
  sleep: { operand: /^[\d.]+[smhd]?$/ },
  ls: {
    flags: "aAbBcCdfFgGhiklmnopqQrRsStuUvxXZ1",
    valued: "Iw",
    long: splitList(
      "all almost-all human-readable color recursive reverse size sort time time-style classify group-directories-first full-time ignore directory inode si hide format author file-type",
    ),
  },
  cat: {
    flags: "AbeEnstTuv",
    long: splitList(
      "number number-nonblank show-all show-ends show-tabs show-nonprinting squeeze-blank",
    ),
  },
  head: { flags: "qvz", valued: "nc", numbers: true, long: splitList("lines bytes quiet verbose") },
  tail: { flags: "qvz", valued: "nc", numbers: true, long: splitList("lines bytes quiet verbose") },
  wc: { flags: "clmLw", long: splitList("lines words chars bytes max-line-length") },
  stat: { flags: "t", valued: "c", long: splitList("format printf terse") },
  file: { flags: "bik0", long: splitList("brief mime mime-type mime-encoding") },
  du: {
    flags: "abchkmsSx0",
    valued: "dBt",
    long: splitList(
      "all apparent-size bytes total human-readable summarize max-depth block-size exclude threshold time",
    ),
  },
  df: { flags: "ahHiklmPT", valued: "B", long: splitList("human-readable inodes print-type") },
  tree: {
    flags: "adfispugDFCnhrtcvU",
    valued: "LIP",
    long: splitList("noreport dirsfirst prune charset filelimit gitignore du"),
  },
  grep: GREP_READER,
  egrep: GREP_READER,
  fgrep: GREP_READER,
  rg: {
    flags: "iSsvwxclonNHIuUqFaP0bp.",
    valued: "ABCEegjmMrtTd",
    numbers: false,
    long: splitList(
      "ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename heading no-heading hidden no-ignore no-ignore-vcs no-config unrestricted multiline multiline-dotall quiet fixed-strings text pcre2 null glob iglob glob-case-insensitive type type-not type-list max-count max-depth max-columns max-filesize context after-context before-context regexp replace files sort sortr color json stats trim vimgrep passthru column no-messages encoding crlf threads pretty",
    ),
    longValued: splitList(
      "glob iglob type type-not max-count max-depth max-columns context after-context before-context regexp replace sort sortr color",
    ),
  },
  cut: {
    flags: "snz",
    valued: "bcdf",
    long: splitList("bytes characters delimiter fields only-delimited complement output-delimiter"),
  },
  tr: { flags: "cCdst", operands: 2 },
  uniq: { flags: "cdDiuz", valued: "fsw", operands: 1, long: splitList("count repeated unique") },
  sort: {
    flags: "bdfgiMhnRrVcCmsuz",
    valued: "kt",
    long: splitList(
      "reverse numeric-sort unique key field-separator human-numeric-sort version-sort",
    ),
  },
  comm: { flags: "123z" },
  cmp: { flags: "bls", valued: "in" },
  diff: {
    flags: "abBcdeEipqstuTwWy",
    valued: "UCIW",
    filesOnly: true,
    long: splitList(
      "brief unified context side-by-side ignore-case ignore-all-space ignore-blank-lines color",
    ),
  },
  basename: { flags: "az", valued: "s" },
  dirname: { flags: "z" },
  realpath: { flags: "emPsqz", long: splitList("relative-to relative-base canonicalize-missing") },
  readlink: { flags: "femnqsvz" },
  date: {
    flags: "uRI",
    valued: "d",
    long: splitList("date utc iso-8601 rfc-3339 rfc-email"),
    operand: /^\+/,
  },
  whoami: { operands: 0 },
  id: { flags: "gGnru" },
  uname: { flags: "asnrvmpio", operands: 0 },
  hostname: { flags: "s", operands: 0 },
  nproc: { operands: 0, long: splitList("all") },
  jq: {
    flags: "rRnscCSaMej",
    never: /\b(import|include|env|ENV)\b/,
    long: splitList(
      "raw-output slurp compact-output null-input sort-keys tab exit-status join-output raw-input color-output monochrome-output",
    ),
  },
  column: { flags: "tnx", valued: "sc", long: splitList("table separator") },
  nl: { flags: "p", valued: "bdfhilnsvw" },
  tac: { flags: "br", valued: "s" },
  rev: {},
  seq: { flags: "w", valued: "sf", operand: /^-?[\d.]+$/, numbers: true },
  sha1sum: CHECKSUM_READER,
  sha256sum: CHECKSUM_READER,
  sha512sum: CHECKSUM_READER,
  md5sum: CHECKSUM_READER,
  cksum: { operands: 9 },
  strings: { flags: "af", valued: "nte", never: /^@/ },
  hexdump: { flags: "bcCdovx", valued: "ns" },
  od: { flags: "abcdfiloxv", valued: "AjNtw" },
  xxd: { flags: "abCEeipu", valued: "clgos", operands: 1 },
  sed: { flags: "nEr" },
  ps: { flags: "AefFlH", operands: 1, operand: /^[aux]+$/ },
  free: { flags: "bkmghlt", operands: 0 },
  lsof: { flags: "nPlt", valued: "i" },
};

export function isPlainScript(script: string): boolean {
  return SED_SCRIPT.test(script);
}

/** Words of `find` without and with a value. */
export const FIND_TESTS: ReadonlySet<string> = new Set(
  splitList(
    "-not -and -or -a -o ! ( ) -print -print0 -prune -depth -xdev -mount -ls -empty -executable -readable -writable -true -false -daystart -quit -P -nouser -nogroup",
  ),
);
export const FIND_TESTS_WITH_VALUE: ReadonlySet<string> = new Set(
  splitList(
    "-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin -newer -user -group -perm -links -inum -regextype -printf",
  ),
);

/** Programs that report their version or help without reading the project. */
export const REPORTING_PROGRAMS: ReadonlySet<string> = new Set(
  splitList(
    "node npm python python3 ruby perl php lua gcc g++ cc clang clang++ make cmake ninja git java javac rg grep sed awk gawk jq curl wget tar gzip zip unzip xz psql sqlite3 bwrap socat deno bun find ls cat sort diff patch rsync openssl ffmpeg convert dot pandoc shellcheck tmux vim nano bash zsh fish gdb strace valgrind ldd readelf objdump nm pkg-config",
  ),
);
