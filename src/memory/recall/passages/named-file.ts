/** Common file names, which do not identify a file alone. */
const COMMON_FILE_NAMES = new Set(
  "index main mod lib init utils util helper helpers common misc types type constants const config configuration settings setup package readme changelog license app application server client core base model models view views api schema schemas test tests testing spec specs errors error exceptions makefile dockerfile manifest version data conftest default defaults shared global globals user users account accounts item items contributing requirements security authors notice changes history todo codeowners gitignore gitattributes dockerignore editorconfig".split(
    " ",
  ),
);
const COMMON_FOLDERS = new Set(
  "src source sources lib libs app apps pkg packages modules internal cmd bin scripts tools tests test docs doc examples services service components controllers handlers routes pages screens hooks store stores middleware public static assets resources templates styles migrations include vendor workflows github".split(
    " ",
  ),
);
/** Shorter folder names occur in too many words. */
const MIN_FOLDER_LENGTH = 6;
/** Shorter words are mostly function words. */
const MIN_PART_LENGTH = 3;
/** Shorter words occur in too many unrelated texts. */
const MIN_WORD_LENGTH = 4;
/** Shorter symbols are mostly names of variables. */
const MIN_SYMBOL_LENGTH = 6;
const MAX_SYMBOLS = 40;

/** The ways in which texts may refer to a file. */
export interface NamedFile {
  readonly path: string;
  /** File name; undefined if it is common in other folders. */
  readonly name: string | undefined;
  /** File name without extension; undefined unless it is distinctive. */
  readonly word: string | undefined;
  readonly folder: string | undefined;
  readonly symbols: readonly string[];
}

export function createNamedFile(path: string, symbols: readonly string[] = []): NamedFile {
  const normal = path.replaceAll("\\", "/").replace(/^\.\//, "");
  const name = normal.split("/").at(-1) ?? normal;
  const stem = name.replace(/^[._]+/, "").replace(/\..*$/, "");
  const isUsual = COMMON_FILE_NAMES.has(stem.toLowerCase()) || stem.length < MIN_WORD_LENGTH;
  return {
    path: normal,
    name: isUsual ? undefined : name,
    word: isUsual ? undefined : stem,
    folder: distinctiveFolder(normal),
    symbols: [...new Set(symbols.filter(isDistinctive))].slice(0, MAX_SYMBOLS),
  };
}

function distinctiveFolder(path: string): string | undefined {
  const folder = path.split("/").at(-2)?.toLowerCase();
  const isUsual =
    folder === undefined || COMMON_FOLDERS.has(folder) || COMMON_FILE_NAMES.has(folder);
  return isUsual || folder.length < MIN_FOLDER_LENGTH ? undefined : folder;
}

/** Returns true if a symbol has several words: `append_event`, `parseFlag`, `hex2rgb`. */
function isDistinctive(symbol: string): boolean {
  return (
    symbol.length >= MIN_SYMBOL_LENGTH &&
    /[\p{L}\d]_[\p{L}\d]|\p{Ll}\p{Lu}|\p{L}\d\p{L}/u.test(symbol)
  );
}

/** Returns true if a path is the file; leading folders may be missing. */
export function isAmongWords({ path, name }: NamedFile, files: readonly string[]): boolean {
  return files.some(
    (file) =>
      file === path ||
      (name !== undefined && file === name) ||
      file.endsWith(`/${path}`) ||
      (file.includes("/") && path.endsWith(`/${file}`)),
  );
}

/** Returns true if the text contains the word in any spelling. */
export function containsWord(text: string, word: string): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${createSpellingPattern(word)}(?![\\p{L}\\p{N}_])`,
    "iu",
  ).test(text);
}

export function namesTests(text: string, word: string): boolean {
  const name = createSpellingPattern(word);
  const named = `(?:tests?|spec)[_-]${name}|${name}[._-](?:tests?|spec)`;
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${named})(?![\\p{L}\\p{N}_])`, "iu").test(text);
}

const IDENTIFIER_PATTERN = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function identifiesBy(text: string, word: string): boolean {
  const requested = singular(wordsOfName(word).join(""));
  return (text.match(IDENTIFIER_PATTERN) ?? []).some((name) => {
    const words = wordsOfName(name);
    return words.length > 1 && words.some((_, at) => startsWith(words.slice(at), requested));
  });
}

function startsWith(words: readonly string[], requested: string): boolean {
  return words.some((_, length) => singular(words.slice(0, length + 1).join("")) === requested);
}

const wordsOfName = (name: string) =>
  name
    .split(/[_$-]+|(?<=\p{Ll}|\p{N})(?=\p{Lu})/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());

const singular = (word: string) => word.replace(/(?<=[^s])s$/, "");

/** Splits a folder name such as `rate-limits`, or `auditlog` into two words. */
export function splitFolderWords(folder: string): readonly (readonly string[])[] {
  const words = wordsOfName(folder).filter((word) => word.length >= MIN_PART_LENGTH);
  if (words.length > 1) return [words];
  const lengths = Array.from(
    { length: Math.max(0, folder.length - 2 * MIN_PART_LENGTH + 1) },
    (_, index) => index + MIN_PART_LENGTH,
  );
  return lengths.map((length) => [folder.slice(0, length), folder.slice(length)]);
}

/** Pattern for a compound: joined, hyphenated or spaced. */
function createSpellingPattern(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/[_-]+/g, String.raw`[\s_-]?`);
}
