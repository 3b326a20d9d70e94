// Starts cairn of this very version. Written by scripts/generate-packages.ts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const NAME = "cairn-memory";
const VERSION = "0.2.0";
const shell = process.platform === "win32";
const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
/** Where the path of the program stands, once it was found. */
const note = join(caches, "cairn", `program-${VERSION}`);

function noted() {
  if (!existsSync(note)) return undefined;
  const program = readFileSync(note, "utf8");
  return existsSync(program) ? program : undefined;
}

function programIn(root) {
  if (!existsSync(join(root, "package.json"))) return undefined;
  const { name = NAME, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return name === NAME && version === VERSION ? join(root, "bin", "cairn.js") : undefined;
}

/** A `cairn` on the PATH counts where it is this very package: others have the name too. */
function installed() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const roots = [join(folder, "node_modules", NAME)];
    if (existsSync(join(folder, "cairn"))) roots.push(resolve(realpathSync(join(folder, "cairn")), "..", ".."));
    const program = roots.map(programIn).find(Boolean);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** npx puts the folder with the package's programs in front of the PATH of what it runs. */
function fetched() {
  const asked = ["-y", "--package", `${NAME}@${VERSION}`, "--", "node", "-p", "process.env.PATH"];
  const { stdout } = spawnSync("npx", asked, { encoding: "utf8", shell, stdio: ["ignore", "pipe", "ignore"] });
  for (const folder of (stdout ?? "").trim().split(delimiter)) {
    const program = programIn(resolve(folder, "..", NAME));
    if (program !== undefined) return program;
  }
  return undefined;
}

/** In one step: other hooks may be looking at the same time. */
function keep(program) {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(`${note}.${process.pid}`, program);
  renameSync(`${note}.${process.pid}`, note);
  return program;
}

function locate() {
  const known = noted();
  if (known !== undefined) return known;
  const program = installed() ?? fetched();
  return program === undefined ? undefined : keep(program);
}

const args = ["mcp", ...process.argv.slice(2)];
const program = locate();
if (program === undefined) {
  const { error, status } = spawnSync("npx", ["-y", `${NAME}@${VERSION}`, ...args], { shell, stdio: "inherit" });
  if (error) process.stderr.write(`cairn could not be started by npx: ${error.message}. Install Node.js, or ${NAME}, for everybody who runs this.\n`);
  // A client takes other codes for orders of its own.
  process.exitCode = status === 0 ? 0 : 1;
} else {
  process.argv = [process.argv[0], program, ...args];
  await import(pathToFileURL(program).href);
}
