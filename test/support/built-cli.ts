import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { COMMON } from "../../scripts/bundle-options.ts";
import { OWN_PROGRAMS } from "../../scripts/own-programs.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** What tests start as a process: `cairn` itself, and parts of it that are killed or race. */
const PROGRAMS = {
  main: "src/cli/main.ts",
  "run-one-message": "test/agent/support/run-one-message.ts",
  "edit-lines": "test/agent/support/edit-lines.ts",
  night: "test/agent/unattended/support/night.child.ts",
  "remember-forever": "test/e2e/remember-forever.ts",
};
let built: Promise<string> | undefined;

/** Path of `cairn`. */
export function builtCli(): Promise<string> {
  return builtProgram("main");
}

/**
 * Path of a program, bundled once for each test process from the sources as they are now: starting
 * it is several times quicker than compiling it anew for every child.
 */
export async function builtProgram(name: keyof typeof PROGRAMS): Promise<string> {
  built ??= bundle();
  return resolve(await built, `${name}.js`);
}

async function bundle(): Promise<string> {
  // Inside the repository, where packages and migrations are found.
  const outdir = resolve(ROOT, "node_modules/.cache/cairn-test", String(process.pid));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  // As the package is built: a child that must find a hundred packages starts a fifth more slowly.
  await build({
    ...COMMON,
    entryPoints: { ...PROGRAMS, ...OWN_PROGRAMS },
    absWorkingDir: ROOT,
    outdir,
    splitting: true,
    sourcemap: false,
  });
  return outdir;
}
