/**
 * `npm run release:check [-- --publish]`: the steps of the release workflow in order. It stops at
 * the first failure. Without `--publish` it uploads nothing.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { description } from "./package-description.ts";

const { package: name, version } = description;
const publishes = process.argv.includes("--publish");
const shell = process.platform === "win32";

/** Files that the package must contain, and patterns that no file in it may match. */
const NEEDED = [
  "bin/cairn.js",
  "dist/main.js",
  "dist/hook.cjs",
  "dist/memory-command.cjs",
  "dist/client.cjs",
  "dist/index.d.ts",
  "dist/agent-client.d.ts",
  "dist/ui/index.html",
  "models/minilm-l6-v2/model.onnx",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
];
const FORBIDDEN = [/\.map$/, /^test\//, /^src\//, /_snapshot\.json$/, /^\.env/, /\.db$/];

function run(command: string, ...args: string[]): void {
  process.stdout.write(`\n$ ${[command, ...args].join(" ")}\n`);
  const { status } = spawnSync(command, args, { stdio: "inherit", shell });
  if (status !== 0) fail(`${command} ${args.join(" ")} failed`);
}

function fail(reason: string): never {
  process.stderr.write(`release: ${reason}\n`);
  process.exit(1);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

/** Returns the changelog section of this version. */
export function extractReleaseNotes(changelog: string, expected: string): string {
  const [, text = ""] = changelog.split(
    new RegExp(`^## ${expected.replaceAll(".", "\\.")}\\b.*$`, "m"),
  );
  return (text.split(/^## /m)[0] ?? "").trim();
}

function checkVersion(): void {
  const tag = process.env.GITHUB_REF_TYPE === "tag" ? process.env.GITHUB_REF_NAME : undefined;
  if (tag !== undefined && tag !== `v${version}`) {
    fail(`the tag ${tag} is not v${version}, the version in package.json`);
  }
  if (extractReleaseNotes(readFileSync("CHANGELOG.md", "utf8"), version) === "") {
    fail(`CHANGELOG.md has no section "## ${version}"`);
  }
}

function checkContents(tarball: string): void {
  const paths = execFileSync("tar", ["tzf", tarball], { encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .filter(Boolean)
    .map((path) => path.replace(/^package\//, ""));
  const missing = NEEDED.filter((path) => !paths.includes(path));
  if (missing.length > 0) fail(`the package lacks ${missing.join(", ")}`);
  const forbidden = paths.filter((path) => FORBIDDEN.some((pattern) => pattern.test(path)));
  if (forbidden.length > 0) fail(`the package contains ${forbidden.slice(0, 5).join(", ")}`);
  process.stdout.write(`${paths.length} files in the package\n`);
}

if (process.argv[1]?.endsWith("release.ts")) {
  checkVersion();
  run("npm", "run", "docs");
  run("npm", "run", "packages");
  if (git("status", "--porcelain", "--untracked-files=no") !== "") {
    fail("generated files differ from what is committed, or there are uncommitted changes");
  }
  const folder = mkdtempSync(join(tmpdir(), "cairn-release-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  run("npm", "pack", "--silent", "--pack-destination", folder);
  const [file = ""] = readdirSync(folder).filter((one) => one.endsWith(".tgz"));
  const tarball = resolve(folder, file);
  checkContents(tarball);
  run("npm", "run", "check:package", "--", "--tarball", tarball);
  run("npm", "run", "packages:bundle", "--", join(folder, `${name}.mcpb`));
  if (publishes) run("npm", "publish", "--provenance", "--access", "public", tarball);
  process.stdout.write(
    `\nrelease: ${name} ${version} is ready${publishes ? " and published" : ""}\n`,
  );
}
