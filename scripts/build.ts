import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { buildPage } from "./build-page.ts";
import { OWN_PROGRAMS } from "./own-programs.ts";
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

/** What only writes and embedders load: a program that does neither says so, should it ever ask. */
const readsOnly: Plugin = {
  name: "reads-only",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /[\\/]lint-text\.ts$|^@huggingface\/tokenizers$/ }, ({ path }) => ({
      path,
      namespace: "left-out",
    }));
    onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of this program, which only reads`)});`,
    }));
  },
};

const COMMON: BuildOptions = {
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
  plugins: [englishOnly, quickStartLibraries],
  // Bundled CommonJS dependencies use require() and __filename; an ES module has none of its own.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; import { fileURLToPath as __fileURLToPath } from "node:url"; const require = __createRequire(import.meta.url); const __filename = __fileURLToPath(import.meta.url); const __dirname = __fileURLToPath(new URL(".", import.meta.url));',
  },
};

// npm builds again between `prepack`, which packs the runtimes and the driver, and the packing itself.
for (const name of existsSync("dist") ? await readdir("dist") : []) {
  if (name !== "runtime" && name !== "driver")
    await rm(`dist/${name}`, { recursive: true, force: true });
}
await build({
  ...COMMON,
  entryPoints: {
    main: "src/cli/main.ts",
    // What a program imports: `exports` of package.json.
    index: "src/index.ts",
    agent: "src/agent/index.ts",
    testing: "src/testing/index.ts",
    "daemon.program": "src/cli/daemon/daemon.program.ts",
    ...OWN_PROGRAMS,
  },
  splitting: true,
});
// One file with no more than it uses: a client waits for it at each prompt.
await build({
  ...COMMON,
  entryPoints: { hook: "src/cli/hook/hook.program.ts" },
  plugins: [...(COMMON.plugins ?? []), readsOnly],
});

// One small file, which every command begins with: nothing that a bundle brings along.
await build({
  outdir: "dist",
  entryPoints: { client: "src/daemon/client.ts" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
});

// The reference page of the REST API; only these files of the package are needed.
await mkdir("dist/swagger-ui", { recursive: true });
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"]) {
  await copyFile(`node_modules/swagger-ui-dist/${file}`, `dist/swagger-ui/${file}`);
}

await buildPage("dist/ui");
