import type { BuildOptions, Plugin } from "esbuild";
import { lazyCommonJs } from "./lazy-commonjs.ts";
import { quickStartLibraries } from "./quick-start-libraries.ts";

/** Packages with native code or with files that must be next to them at run time. */
const EXTERNAL = [
  "better-sqlite3",
  "sqlite-vec",
  "@anthropic-ai/sandbox-runtime",
  // Imported by Ink in development only.
  "react-devtools-core",
];

/** Messages in fifty languages are half of Zod, and every start would have to load them. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/** Bundle options of the package's programs and of those that tests start. */
export const COMMON: BuildOptions = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  sourcesContent: false,
  minify: true,
  // Node.js prints the source line of an uncaught error, which must not be the whole program.
  lineLimit: 200,
  legalComments: "none",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  loader: { ".md": "text" },
  external: EXTERNAL,
  // Bundlers cannot resolve the imports of its UMD main file.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [englishOnly, quickStartLibraries, lazyCommonJs],
  // Bundled CommonJS dependencies use require() and __filename, which ES modules do not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; import { fileURLToPath as __fileURLToPath } from "node:url"; const require = __createRequire(import.meta.url); const __filename = __fileURLToPath(import.meta.url); const __dirname = __fileURLToPath(new URL(".", import.meta.url));',
  },
};

/**
 * One small file that every command loads first, so it excludes the parts that bundles share. It
 * is CommonJS, like its caller and the Node.js modules that it loads later, so that the ES module
 * loader is not initialized.
 */
export const CLIENT: BuildOptions = {
  entryPoints: { client: "src/app/daemon/client.ts" },
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  supported: { "dynamic-import": false },
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
};
