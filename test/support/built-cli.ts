import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { OWN_PROGRAMS } from "../../scripts/own-programs.ts";

const ROOT = resolve(import.meta.dirname, "../..");
let built: Promise<string> | undefined;

/**
 * Path of the program, bundled once for each test process from the sources as they are now:
 * starting it is several times quicker than compiling it anew for every child.
 */
export function builtCli(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  // Inside the repository, where packages and migrations are found.
  const outdir = resolve(ROOT, "node_modules/.cache/cairn-test", String(process.pid));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: { main: "src/cli/main.ts", ...OWN_PROGRAMS },
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    jsx: "automatic",
    loader: { ".md": "text" },
    sourcemap: "inline",
  });
  return resolve(outdir, "main.js");
}
