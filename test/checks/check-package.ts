/**
 * `npm run check:package [-- --tarball FILE] [--ways all|npm10,pnpm,…]`: packs the package as it
 * is published, with all lifecycle scripts, installs it into an empty folder with spaces in its
 * path, and runs a semantic recall. Takes minutes and requires the registry. `--ways` repeats this
 * with other package managers and Node.js versions.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { INSTALL_METHODS, type InstallMethod, tryInstallMethods } from "./install-methods.ts";

const PLATFORMS = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm64",
  "linux-x64",
  "win32-arm64",
  "win32-x64",
];
const MOST_INSTALLED_BYTES = 130_000_000;

const root = mkdtempSync(join(tmpdir(), "cairn-package-"));
try {
  const tarball = given("--tarball") ?? pack(root);
  console.log(`${tarball}: ${megabytes(statSync(tarball).size)}`);
  requireRuntimes(tarball);
  const folder = join(root, "a folder with blanks");
  install(folder, tarball);
  const size = bytesOf(join(folder, "node_modules"));
  console.log(`installed: ${megabytes(size)}`);
  expectThat(size <= MOST_INSTALLED_BYTES, `at most ${megabytes(MOST_INSTALLED_BYTES)} installed`);
  askInOtherWords(folder);
  tellWhatIsMissing(folder);
  await tryInstallMethods(tarball, join(root, "ways"), chosenWays());
  console.log("The package answers.");
} finally {
  rmSync(root, { recursive: true, force: true });
}

function given(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  const value = at < 0 ? undefined : process.argv[at + 1];
  return value === undefined ? undefined : resolve(value);
}

function chosenWays(): readonly InstallMethod[] {
  const at = process.argv.indexOf("--ways");
  const names = at < 0 ? [] : (process.argv[at + 1] ?? "").split(",");
  if (names.includes("all")) return INSTALL_METHODS;
  const unknown = names.filter((name) => !INSTALL_METHODS.some((way) => way.name === name));
  expectThat(
    unknown.length === 0,
    `these are ways: ${INSTALL_METHODS.map(({ name }) => name).join(", ")}`,
  );
  return INSTALL_METHODS.filter(({ name }) => names.includes(name));
}

function pack(into: string): string {
  execFileSync("npm", ["pack", "--pack-destination", into], { stdio: ["ignore", "ignore", 2] });
  const name = readdirSync(into).find((file) => file.endsWith(".tgz"));
  expectThat(name !== undefined, "npm pack writes a package");
  return join(into, name ?? "");
}

function requireRuntimes(tarball: string): void {
  const files = execFileSync("tar", ["tzf", tarball], { encoding: "utf8", maxBuffer: 1e8 });
  for (const platform of PLATFORMS) {
    const file = `package/dist/runtime/${platform}.br`;
    expectThat(files.includes(file), `${file} is in the package`);
  }
}

function install(folder: string, tarball: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", tarball], {
    cwd: folder,
    stdio: ["ignore", "ignore", 2],
  });
}

function askInOtherWords(folder: string): void {
  cairn(folder, "remember", "We deploy on Tuesdays.");
  const found = cairn(folder, "recall", "when is the release shipped out?");
  console.log(found.stdout.trim());
  expectThat(
    found.stdout.includes("We deploy on Tuesdays"),
    "what was said in other words is found",
  );
  expectThat(found.stderr === "", `nothing is warned of: ${found.stderr}`);
  const { stdout, status } = cairn(folder, "doctor");
  expectThat(
    status === 0 && stdout.includes("No problems found"),
    `the doctor is content: ${stdout}`,
  );
}

function tellWhatIsMissing(folder: string): void {
  rmSync(join(folder, "node_modules/cairn-memory/dist/runtime"), { recursive: true });
  cairn(folder, "remember", "The cat sleeps in the server room.");
  const { stderr } = cairn(folder, "recall", "where does the animal rest?");
  const { stdout, status } = cairn(folder, "doctor");
  for (const output of [stderr, stdout]) {
    expectThat(
      /no ONNX runtime.*reinstall cairn-memory/.test(output),
      `it says what is missing: ${output}`,
    );
    expectThat(!output.includes("Require stack"), "it says so in a sentence");
  }
  expectThat(status === 1 && !stdout.includes("No problems found"), "the doctor is not content");
}

function cairn(folder: string, ...args: string[]) {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CAIRN_DB: "default",
    CAIRN_DAEMON: "off",
  };
  const program = join(folder, "node_modules/.bin/cairn");
  return spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`This does not hold: ${what}`);
}
