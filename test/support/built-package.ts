import { cpSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { buildCachedPrograms } from "../../scripts/build-cached.ts";
import { CLIENT } from "../../scripts/bundle-options.ts";
import { OWN_PROGRAMS } from "../../scripts/own-programs.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let built: Promise<string> | undefined;

/**
 * Copies the program as installed (`bin/cairn.js` and `dist`) to a folder that the test may
 * modify, and returns the folder. Bundled once per test process.
 */
export async function builtPackage(name: string): Promise<string> {
  built ??= bundle();
  const folder = folderOf(name);
  cpSync(await built, folder, { recursive: true });
  return folder;
}

/** Inside the repository, so that packages and migrations resolve. */
function folderOf(name: string): string {
  const folder = resolve(ROOT, "node_modules/.cache/cairn-test", `${process.pid}-${name}`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function bundle(): Promise<string> {
  const folder = folderOf("package");
  await build({
    entryPoints: {
      main: "src/cli/main.ts",
      "daemon.program": "src/cli/daemon/daemon.program.ts",
      ...OWN_PROGRAMS,
    },
    absWorkingDir: ROOT,
    outdir: resolve(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    jsx: "automatic",
    loader: { ".md": "text" },
  });
  await build({ ...CLIENT, absWorkingDir: ROOT, outdir: resolve(folder, "dist") });
  await buildCachedPrograms(resolve(folder, "dist"));
  cpSync(resolve(ROOT, "bin"), resolve(folder, "bin"), { recursive: true });
  return folder;
}
