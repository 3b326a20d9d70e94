import type { BuildOptions, Plugin } from "esbuild";
import { lazyCommonJs } from "./lazy-commonjs.ts";
import { quickStartLibraries } from "./quick-start-libraries.ts";

/** Packages with native code, or whose files must be found beside them at run time. */
const EXTERNAL = [
  "better-sqlite3",
  "sqlite-vec",
  "@anthropic-ai/sandbox-runtime",
  // Ink asks for it in development only.
  "react-devtools-core",
];

/** Zod's messages in fifty languages are half of it, and every start would have to read them. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/** How programs are bundled: those of the package, and those that tests start. */
export const COMMON: BuildOptions = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  sourcesContent: false,
  minify: true,
  // Node.js shows the line of an error that nobody catches: one line must not be the whole program.
  lineLimit: 200,
  legalComments: "none",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  loader: { ".md": "text" },
  external: EXTERNAL,
  // Its main file loads its parts in a way that no bundler sees through.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [englishOnly, quickStartLibraries, lazyCommonJs],
  // Bundled CommonJS dependencies use require() and __filename; an ES module has none of its own.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; import { fileURLToPath as __fileURLToPath } from "node:url"; const require = __createRequire(import.meta.url); const __filename = __fileURLToPath(import.meta.url); const __dirname = __fileURLToPath(new URL(".", import.meta.url));',
  },
};

/**
 * One small file, which every command begins with: nothing that a bundle brings along. CommonJS as its
 * caller is, parts of Node.js that it asks for later included, so that nothing of modules is made ready.
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
