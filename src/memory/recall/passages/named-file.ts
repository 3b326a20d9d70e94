/** Names that files of every project have: alone they tell nothing of which file is meant. */
const USUAL_NAMES = new Set(
  "index main mod lib init utils util helper helpers common misc types type constants const config configuration settings setup package readme changelog license app application server client core base model models view views api schema schemas test tests testing spec specs errors error exceptions makefile dockerfile manifest version data conftest default defaults shared global globals user users account accounts item items contributing requirements security authors notice changes history todo codeowners gitignore gitattributes dockerignore editorconfig".split(
    " ",
  ),
);
/** Shorter words stand in too much that is about something else. */
const SHORTEST_WORD = 4;
/** Shorter names are those of variables. */
const SHORTEST_SYMBOL = 6;
const MOST_SYMBOLS = 40;

/** A file, as texts may speak of it. */
export interface NamedFile {
  /** With `/` between its folders. */
  readonly path: string;
  /** Its last part, where files of other folders are hardly called the same. */
  readonly name: string | undefined;
  /** What it is called without its ending, where that is a word of its own. */
  readonly word: string | undefined;
  /** Names that it defines or that are about to change in it. */
  readonly symbols: readonly string[];
}

export function namedFile(path: string, symbols: readonly string[] = []): NamedFile {
  const normal = path.replaceAll("\\", "/").replace(/^\.\//, "");
  const name = normal.split("/").at(-1) ?? normal;
  const stem = name.replace(/^[._]+/, "").replace(/\..*$/, "");
  const isUsual = USUAL_NAMES.has(stem.toLowerCase()) || stem.length < SHORTEST_WORD;
  return {
    path: normal,
    name: isUsual ? undefined : name,
    word: isUsual ? undefined : stem,
    symbols: [...new Set(symbols.filter(isTelling))].slice(0, MOST_SYMBOLS),
  };
}

/** Of two words or more, or long: `append_event`, `parseFlag`, `RateLimiter`. */
function isTelling(symbol: string): boolean {
  return (
    symbol.length >= SHORTEST_SYMBOL &&
    (/[\p{L}\d]_[\p{L}\d]/u.test(symbol) || /\p{Ll}\p{Lu}/u.test(symbol))
  );
}

/** Whether one of these paths is the file: the same, or the same without the folders before it. */
export function isAmong({ path, name }: NamedFile, files: readonly string[]): boolean {
  return files.some(
    (file) =>
      file === path ||
      (name !== undefined && file === name) ||
      file.endsWith(`/${path}`) ||
      (file.includes("/") && path.endsWith(`/${file}`)),
  );
}

/** Whether the text has this as a word of its own, whichever way it is written. */
export function saysWord(text: string, word: string): boolean {
  const escaped = word
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/[_-]+/g, String.raw`[\s_-]?`);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(text);
}
