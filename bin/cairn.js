#!/usr/bin/env node
// Reports a broken installation in one sentence before it loads the program itself.
// CommonJS (see `package.json` in this folder), because Node.js starts it faster than an ES module.
const { existsSync, readFileSync } = require("node:fs");
const { join, parse } = require("node:path");

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
  const caches = process.env.XDG_CACHE_HOME ?? home(".cache");
  // Older versions would load the module system only to find that there is no cache.
  if (caches === undefined || versionNumbers()[0] < FIRST_WITH_CACHE) return;
  require("node:module").enableCompileCache?.(join(caches, "cairn", "compiled"));
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
 * The part of a hook for which a client waits is a program of its own, without the embedding model; see `src/cli/hook`.
 * Where no daemon may run, which would embed the prompt, the whole program does.
 */
function program([command, , event, ...options], hasDaemon) {
  const isPromptWithoutDaemon = event === "prompt" && !hasDaemon;
  const isAwaited =
    command === "hook" &&
    ["session-start", "prompt", "tool"].includes(event) &&
    !isPromptWithoutDaemon;
  return isAwaited && !options.some((option) => /^(-h|--help)$/.test(option))
    ? "hook.js"
    : "main.js";
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
  const { pathToFileURL } = require("node:url");
  await import(pathToFileURL(join(DIST, program(process.argv.slice(2), asked.hasDaemon))).href);
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
