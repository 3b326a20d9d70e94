const PATH = /(?<![\w@/.])(?:[\w.-]+\/)*[\w-]+\.(?:[a-z]{1,4}|[a-z]+\d?)(?![\w/])/g;
const MOST_PATHS = 5;
/** Bounds the time for long words with hyphens. */
const MAX_SEARCHED_CHARACTERS = 10_000;

/** Names with a slash or with an ending that source files have. */
export function pathsIn(text: string): readonly string[] {
  const found = [...text.slice(0, MAX_SEARCHED_CHARACTERS).matchAll(PATH)].map(([path]) => path);
  const paths = found.filter(
    (path) =>
      path.includes("/") ||
      /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|md|json|ya?ml|toml|sh|sql|c|h|cpp|cs|php|css|html)$/.test(
        path,
      ),
  );
  return [...new Set(paths)].slice(0, MOST_PATHS);
}
