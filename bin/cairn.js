#!/usr/bin/env node
// What can be wrong with an installation is said in a sentence, before the program itself is read.
// CommonJS, as `package.json` beside it says: Node.js is sooner ready for it than for a module.
const { existsSync, readFileSync } = require("node:fs");
const { join, parse } = require("node:path");

const DIST = join(__dirname, "..", "dist");
const NEEDED = [20, 19];
/** The first Node.js that keeps what it compiled. */
const FIRST_TO_KEEP = 22;
/** What Node.js says of a module that waits for nothing. */
const UNDONE = 13;

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

/** Clients start these commands; they learn the project from their input. */
const STARTED_BY_CLIENTS = ["hook", "mcp"];

/** Commands that clients start leave a deleted directory for the root of the file system. */
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
 * Newer versions of Node.js keep what they compiled, which is a good part of a short command's time.
 * In the user's own folder: what others may write must not be run. Where it cannot be kept, Node.js
 * goes on without.
 */
function keepCompiled() {
  const caches = process.env.XDG_CACHE_HOME ?? home(".cache");
  // Only to ask an older one would make ready what it loads modules with.
  if (caches === undefined || versionNumbers()[0] < FIRST_TO_KEEP) return;
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

/** The part of a hook for which a client waits is a program of its own; see `src/cli/hook`. */
function program([command, , event, ...options]) {
  const isAwaited = command === "hook" && ["session-start", "prompt", "tool"].includes(event);
  return isAwaited && !options.some((option) => /^(-h|--help)$/.test(option))
    ? "hook.js"
    : "main.js";
}

/** Programs that look for cairn ask for this first. */
function tellVersion() {
  const description = readFileSync(join(__dirname, "..", "package.json"), "utf8");
  process.stdout.write(`${JSON.parse(description).version}\n`);
}

const ASKS_FOR_VERSION = ["--version", "-V", "version"];

/** What the process that stays does not answer, this one does. */
async function run() {
  const [word, ...others] = process.argv.slice(2);
  if (others.length === 0 && ASKS_FOR_VERSION.includes(word)) return tellVersion();
  keepCompiled();
  const { askDaemon } = require(join(DIST, "client.cjs"));
  const asked = await askDaemon(join(DIST, "daemon.program.js"));
  if (asked.isAnswered) return;
  const { pathToFileURL } = require("node:url");
  await import(pathToFileURL(join(DIST, program(process.argv.slice(2)))).href);
  await asked.start?.();
}

/** Whoever asked is told where the work was not done, though nothing is left to wait for. */
async function runToTheEnd() {
  const isUndone = () => {
    process.exitCode ??= UNDONE;
  };
  process.once("exit", isUndone);
  await run();
  process.off("exit", isUndone);
}

/** A client reads the output of a hook, so that a hook fails silently unless it debugs. */
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
