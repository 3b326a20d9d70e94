import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Letters, marks and lines that are one column each and no part of an emoji. */
export const NARROW =
  "\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2030-\\u203b\\u2190-\\u21ff\\u2500-\\u259f\\u25a0-\\u25bf\\u25c0-\\u25cf\\u25e6\\u2713\\u2717\\u2610\\u2800-\\u28ff";

interface Change {
  readonly file: RegExp;
  readonly before: string;
  readonly after: string;
}

/** What libraries of the screen do at the start, where a cheaper way gives the same. */
const CHANGES: readonly Change[] = [
  {
    // The expression that knows all emoji takes longer to compile than a screen to draw.
    file: /[\\/]string-width[\\/]index\.js$/,
    before: "/^[\\u0020-\\u007E]*$/.test(string)",
    after: `/^[${NARROW}]*$/.test(string)`,
  },
  {
    // Its program stands in the file as text; fetching that from there loads all of HTTP.
    file: /[\\/]yoga-wasm-base64-esm\.js$/,
    before: '"function"!=typeof fetch',
    after: "!0",
  },
];

/** Throws where a library has changed, so that nothing is lost without a word. */
export const quickStartLibraries: Plugin = {
  name: "quick-start-libraries",
  setup({ onLoad }) {
    for (const { file, before, after } of CHANGES) {
      onLoad({ filter: file }, async ({ path }) => {
        const contents = await readFile(path, "utf8");
        // Others bring an older version of their own, which is not used at the start.
        const isOlder = /node_modules[\\/].*node_modules/.test(path);
        if (!contents.includes(before) && !isOlder)
          throw new Error(`${path} has changed: ${before}`);
        return { contents: contents.replaceAll(before, after) };
      });
    }
  },
};
