import { execFile } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { COMMON } from "../../scripts/bundle-options.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");

/** Named exports only, transpiled from ES modules, and with a function as default export. */
const PACKAGES = ["undici", "https-proxy-agent", "proper-lockfile", "write-file-atomic"];

const PROGRAM = `const all = {
  ${PACKAGES.map((name) => `"${name}": await import("${name}"),`).join("\n")}
};
const NODE_ONLY = ["module.exports", "__esModule"];
console.log(JSON.stringify(Object.entries(all).map(([name, loaded]) => [
  name,
  typeof loaded.default,
  Object.keys(loaded).filter((one) => !NODE_ONLY.includes(one)).sort(),
])));`;

it("a package in CommonJS that is loaded when needed has the same names in the bundle", async () => {
  const outdir = resolve(ROOT, "node_modules/.cache/cairn-test", `lazy-${process.pid}`);
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }));
  await build({
    ...COMMON,
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    outdir,
    splitting: true,
    sourcemap: false,
  });
  // Checks that code splitting created lazy chunks.
  expect(readdirSync(outdir).length).toBeGreaterThan(PACKAGES.length);
  const bundled = await run(process.execPath, [resolve(outdir, "stdin.js")]);
  const inNode = await run(process.execPath, ["--input-type=module", "--eval", PROGRAM]);
  expect(JSON.parse(bundled.stdout)).toEqual(JSON.parse(inNode.stdout));
});
