#!/usr/bin/env node
// What can be wrong with an installation is said in a sentence, before the program itself is read.
import { existsSync, readFileSync } from "node:fs";
import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = [20, 19];

function problem() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    return `cairn needs Node.js ${NEEDED.join(".")} or newer, and this is ${process.versions.node}: start it with a newer one (https://nodejs.org).`;
  }
  if (!existsSync(new URL("../dist/main.js", import.meta.url))) {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    return `cairn is not built yet: run \`npm ci\` in ${folder}`;
  }
  return undefined;
}

/**
 * Newer versions of Node.js keep what they compiled, which is a good part of a short command's time.
 * In the user's own folder: what others may write must not be run. Where it cannot be kept, Node.js
 * goes on without.
 */
function keepCompiled() {
  const caches = process.env.XDG_CACHE_HOME ?? home(".cache");
  if (caches !== undefined) module.enableCompileCache?.(join(caches, "cairn", "compiled"));
}

function home(folder) {
  try {
    return join(homedir(), folder);
  } catch {
    // A user without a home folder.
    return undefined;
  }
}

/** The part of a hook for which a client waits is a program of its own; see `src/cli/hook`. */
function program([command, , event, ...options]) {
  const isAwaited = command === "hook" && ["session-start", "prompt", "tool"].includes(event);
  return isAwaited && !options.some((option) => /^(-h|--help)$/.test(option))
    ? "../dist/hook.js"
    : "../dist/main.js";
}

/** Programs that look for cairn ask for this first. */
function tellVersion() {
  const description = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  process.stdout.write(`${JSON.parse(description).version}\n`);
}

const ASKS_FOR_VERSION = ["--version", "-V", "version"];

/** What the process that stays does not answer, this one does. */
async function run() {
  const [word, ...others] = process.argv.slice(2);
  if (others.length === 0 && ASKS_FOR_VERSION.includes(word)) return tellVersion();
  keepCompiled();
  const { askDaemon } = await import("../dist/client.js");
  const asked = await askDaemon();
  if (asked.isAnswered) return;
  await import(program(process.argv.slice(2)));
  await asked.start?.();
}

const sentence = problem();
if (sentence === undefined) {
  await run();
} else {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
