import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * Letters, marks and box-drawing characters that are one column wide and never part of an emoji.
 */
export const NARROW =
  "\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2030-\\u203b\\u2190-\\u21ff\\u2500-\\u259f\\u25a0-\\u25bf\\u25c0-\\u25cf\\u25e6\\u2713\\u2717\\u2610\\u2800-\\u28ff";

interface Change {
  readonly file: RegExp;
  readonly before: string;
  readonly after: string;
}

/** Replaces slow start-up code of terminal libraries with faster equivalents. */
const CHANGES: readonly Change[] = [
  {
    // Compiling the emoji expression takes longer than drawing a screen.
    file: /[\\/]string-width[\\/]index\.js$/,
    before: "/^[\\u0020-\\u007E]*$/.test(string)",
    after: `/^[${NARROW}]*$/.test(string)`,
  },
  {
    // The WebAssembly module is embedded as base64; fetching the data URL would load the HTTP
    // client.
    file: /[\\/]yoga-wasm-base64-esm\.js$/,
    before: '"function"!=typeof fetch',
    after: "!0",
  },
];

/**
 * Throws if the code to replace is missing, so that an upgrade cannot disable a replacement
 * unnoticed.
 */
export const quickStartLibraries: Plugin = {
  name: "quick-start-libraries",
  setup({ onLoad }) {
    for (const { file, before, after } of CHANGES) {
      onLoad({ filter: file }, async ({ path }) => {
        const contents = await readFile(path, "utf8");
        // Nested copies are older versions, which are not loaded at the start.
        const isOlder = /node_modules[\\/].*node_modules/.test(path);
        if (!contents.includes(before) && !isOlder)
          throw new Error(`${path} does not contain ${before}`);
        return { contents: contents.replaceAll(before, after) };
      });
    }
  },
};
