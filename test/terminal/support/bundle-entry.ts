import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a script like the program, for a fast start. Bundled once per test process; do not
 * modify the result.
 */
export function bundleEntry(entry: string): Promise<string> {
  const bundled = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, bundled);
  return bundled;
}

async function bundle(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-tui-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module","version":"0.0.0"}');
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  symlinkSync(resolve("drizzle"), join(folder, "drizzle"));
  symlinkSync(resolve("models"), join(folder, "models"));
  await build({
    entryPoints: { entry },
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    jsx: "automatic",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    loader: { ".md": "text" },
    external: [
      "better-sqlite3",
      "sqlite-vec",
      "@anthropic-ai/sandbox-runtime",
      "react-devtools-core",
    ],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; import { fileURLToPath as __fileURLToPath } from "node:url"; const require = __createRequire(import.meta.url); const __filename = __fileURLToPath(import.meta.url); const __dirname = __fileURLToPath(new URL(".", import.meta.url));',
    },
  });
  return join(folder, "dist", "entry.js");
}
