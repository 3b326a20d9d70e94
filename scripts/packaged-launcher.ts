import { description } from "./package-description.ts";

/**
 * Program of a plugin that starts cairn for its hooks. npx takes most of a second to find out what it
 * found out before, and a person waits for it at each prompt: here it is asked once for each version.
 */
export function launcher(): string {
  return `// Starts cairn of this very version. Written by scripts/generate-packages.ts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const NAME = ${JSON.stringify(description.package)};
const VERSION = ${JSON.stringify(description.version)};
const shell = process.platform === "win32";
const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
/** Where the path of the program stands, once it was found. */
const note = join(caches, "cairn", \`program-\${VERSION}\`);

function noted() {
  if (!existsSync(note)) return undefined;
  const program = readFileSync(note, "utf8");
  return existsSync(program) ? program : undefined;
}

/** npx puts the folder with the package's programs in front of the PATH of what it runs. */
function found() {
  const asked = ["-y", "--package", \`\${NAME}@\${VERSION}\`, "--", "node", "-p", "process.env.PATH"];
  const { stdout } = spawnSync("npx", asked, { encoding: "utf8", shell, stdio: ["ignore", "pipe", "ignore"] });
  for (const folder of (stdout ?? "").trim().split(delimiter)) {
    const root = resolve(folder, "..", NAME);
    if (!existsSync(join(root, "package.json"))) continue;
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    if (version === VERSION) return join(root, "bin", "cairn.js");
  }
  return undefined;
}

/** In one step: other hooks may be looking at the same time. */
function keep(program) {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(\`\${note}.\${process.pid}\`, program);
  renameSync(\`\${note}.\${process.pid}\`, note);
  return program;
}

function locate() {
  const known = noted();
  if (known !== undefined) return known;
  const program = found();
  return program === undefined ? undefined : keep(program);
}

const args = process.argv.slice(2);
const program = locate();
if (program === undefined) {
  const { status } = spawnSync("npx", ["-y", \`\${NAME}@\${VERSION}\`, ...args], { shell, stdio: "inherit" });
  // A client takes other codes for orders of its own.
  process.exitCode = status === 0 ? 0 : 1;
} else {
  process.argv = [process.argv[0], program, ...args];
  await import(pathToFileURL(program).href);
}
`;
}
