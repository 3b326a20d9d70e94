import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";
import { COMMON } from "../../scripts/bundle-options.ts";
import { OWN_PROGRAMS } from "../../scripts/own-programs.ts";
import { programsFolder } from "./programs-folder.ts";
import { waitUntil } from "./wait-until.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAMS = {
  main: "src/cli/main.ts",
  "run-one-message": "test/agent/support/run-one-message.ts",
  "edit-lines": "test/agent/support/edit-lines.ts",
  "remember-forever": "test/e2e/remember-forever.ts",
};
let built: Promise<string> | undefined;

export function buildCli(): Promise<string> {
  return buildProgram("main");
}

/**
 * Returns the path of a program. Bundles all of them once per run, because a bundle starts several
 * times faster than compiling for each process.
 */
export async function buildProgram(name: keyof typeof PROGRAMS): Promise<string> {
  built ??= bundleOfRun();
  return resolve(await built, `${name}.js`);
}

/** The first process of the run bundles for all. Outside a run, each process bundles for itself. */
async function bundleOfRun(): Promise<string> {
  const shared = process.env.TEST_PROGRAMS;
  if (shared === undefined) {
    const own = programsFolder(process.pid);
    process.once("exit", () => rmSync(own, { recursive: true, force: true }));
    await bundle(own);
    return own;
  }
  const draft = `${shared}-draft`;
  await waitUntil(() => existsSync(shared) || isMade(draft), {
    timeoutMs: 120_000,
    intervalMs: 50,
  });
  if (existsSync(shared)) return shared;
  try {
    await bundle(draft);
    renameSync(draft, shared);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return shared;
}

function isMade(folder: string): boolean {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

async function bundle(outdir: string): Promise<void> {
  // Bundled like the package: resolving a hundred packages makes startup a fifth slower.
  await build({
    ...COMMON,
    entryPoints: { ...PROGRAMS, ...OWN_PROGRAMS },
    absWorkingDir: ROOT,
    outdir,
    splitting: true,
    sourcemap: false,
  });
}
