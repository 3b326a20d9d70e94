#!/usr/bin/env node
// Reports a broken installation in one sentence before it loads the program itself.
// CommonJS (see `package.json` in this folder), because Node.js starts it faster than an ES module.
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { dirname, join, parse } = require("node:path");

const DIST = join(__dirname, "..", "dist");
const NEEDED = [20, 19];
/** The first Node.js version with a compile cache. */
const FIRST_WITH_CACHE = 22;
/** Exit code of Node.js for a top-level await that never settles. */
const UNSETTLED = 13;

function versionNumbers() {
  return process.versions.node.split(".").map(Number);
}

function problem() {
  const [major, minor] = versionNumbers();
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    return `cairn needs Node.js ${NEEDED.join(".")} or newer, and this is ${process.versions.node}: start it with a newer one (https://nodejs.org).`;
  }
  if (!existsSync(join(DIST, "main.js"))) {
    return `cairn is not built yet: run \`npm ci\` in ${join(__dirname, "..")}`;
  }
  if (!hasWorkingDirectory()) {
    return "cairn: error: The working directory no longer exists. Change to another directory.";
  }
  return undefined;
}

/** Commands that clients start. They read the project from their input. */
const STARTED_BY_CLIENTS = ["hook", "mcp"];

/** Commands that clients start change from a deleted directory to the root of the file system. */
function hasWorkingDirectory() {
  try {
    process.cwd();
    return true;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    if (!STARTED_BY_CLIENTS.includes(process.argv[2])) return false;
    process.chdir(parse(process.execPath).root);
    return true;
  }
}

/**
 * Enables the compile cache of Node.js, since compiling is a large part of a short command's time. The cache is in the
 * user's own folder, because its code is run. If the folder cannot be written, Node.js runs without a cache.
 */
function enableCompileCache() {
  const folder = cacheFolder();
  // Older versions would load the module system only to find that there is no cache.
  if (folder === undefined || versionNumbers()[0] < FIRST_WITH_CACHE) return;
  require("node:module").enableCompileCache?.(folder);
}

function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME ?? home(".cache");
  return caches && join(caches, "cairn", "compiled");
}

function home(folder) {
  try {
    return join(require("node:os").homedir(), folder);
  } catch {
    // A user without a home folder.
    return undefined;
  }
}

/**
 * Selects the program for these arguments; `runCached` starts `.cjs` files. The part of a hook for
 * which a client waits is a separate program without the embedding model; see `src/cli/hook`. If
 * no daemon may run to embed the prompt, the complete program handles it.
 */
function program([command, , event, ...options], hasDaemon) {
  const isPromptWithoutDaemon = event === "prompt" && !hasDaemon;
  const isAwaited =
    command === "hook" &&
    ["session-start", "prompt", "tool"].includes(event) &&
    !isPromptWithoutDaemon;
  if (isAwaited && !options.some((option) => /^(-h|--help)$/.test(option))) return "hook.cjs";
  return MEMORY_COMMANDS.includes(command) ? "memory-command.cjs" : "main.js";
}

/** Commands that agents run most; see `src/cli/memory-command.program.ts`. */
const MEMORY_COMMANDS = ["remember", "recall"];

/**
 * Runs a program of one file from cached machine code, since compiling is half of a short command's time. The cache is
 * named by the hash of the program, so another version never reads it. V8 rejects it under another version of Node.js.
 */
function runCached(file) {
  const source = readFileSync(file, "latin1");
  const { Script } = require("node:vm");
  const path = cachePath(source, file);
  const cachedData = readOwnFile(path);
  const script = new Script(source, { filename: file, cachedData });
  if (path !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    process.once("exit", (code) => {
      if (code === 0) writeCache(path, script.createCachedData());
    });
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, DIST);
  return module.exports.finished;
}

/** One cache for each command, which contains only the functions that it runs. */
function cachePath(source, file) {
  const folder = cacheFolder();
  const command = `${process.argv[2]}-${process.argv[2] === "hook" ? process.argv[4] : ""}`;
  const hash = source.slice(2, 18);
  return folder && join(folder, `${parse(file).name}-${command}-${hash}-${process.version}`);
}

/** Undefined if there is none. Ignores a file of another user, whose code it would run. */
function readOwnFile(path) {
  try {
    if (path === undefined || statSync(path).uid !== (process.getuid?.() ?? 0)) return undefined;
    return readFileSync(path);
  } catch {
    // Missing or not readable: the program is compiled.
    return undefined;
  }
}

const UNUSED_CACHE_MS = 30 * 24 * 60 * 60_000;

/** Renames a complete file into place, for commands that run concurrently. Removes caches of earlier versions. */
function writeCache(path, data) {
  const draft = `${path}.${process.pid}`;
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const other = statSync(join(folder, name));
      const isUnused = Date.now() - other.mtimeMs > UNUSED_CACHE_MS;
      if (other.isFile() && isUnused) rmSync(join(folder, name), { force: true });
    }
    writeFileSync(draft, data, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch {
    // A full disk or a folder that cannot be written: the next command compiles again.
    if (existsSync(draft)) rmSync(draft);
  }
}

/** Programs that look for an installed cairn run this first. */
function printVersion() {
  const description = readFileSync(join(__dirname, "..", "package.json"), "utf8");
  process.stdout.write(`${JSON.parse(description).version}\n`);
}

const VERSION_ARGUMENTS = ["--version", "-V", "version"];

/** Runs the command in the daemon, or in this process if the daemon does not answer. */
async function run() {
  const [word, ...others] = process.argv.slice(2);
  if (others.length === 0 && VERSION_ARGUMENTS.includes(word)) return printVersion();
  enableCompileCache();
  const { askDaemon } = require(join(DIST, "client.cjs"));
  const asked = await askDaemon(join(DIST, "daemon.program.js"));
  if (asked.isAnswered) return;
  const name = program(process.argv.slice(2), asked.hasDaemon);
  // A build of an earlier version has only `main.js`, which runs every command.
  const file = join(DIST, existsSync(join(DIST, name)) ? name : "main.js");
  if (file.endsWith(".cjs")) {
    await runCached(file);
  } else {
    const { pathToFileURL } = require("node:url");
    await import(pathToFileURL(file).href);
  }
  await asked.start?.();
}

/** Sets an exit code if the process ends before the command does. */
async function runToTheEnd() {
  const setUnsettled = () => {
    process.exitCode ??= UNSETTLED;
  };
  process.once("exit", setUnsettled);
  await run();
  process.off("exit", setUnsettled);
}

/** A client shows the output of a hook, so a hook fails silently without `--debug`. */
function reportFailure(error) {
  const isHook = process.argv[2] === "hook";
  if (!isHook || process.argv.includes("--debug")) {
    process.stderr.write(`cairn: error: ${error?.message ?? error}\n`);
  }
  process.exitCode = isHook ? 0 : 1;
}

const sentence = problem();
if (sentence === undefined) {
  runToTheEnd().catch(reportFailure);
} else {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
