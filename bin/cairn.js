#!/usr/bin/env node
// What can be wrong with an installation is said in a sentence, before the program itself is read.
import { existsSync } from "node:fs";
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

const sentence = problem();
if (sentence === undefined) {
  await import("../dist/main.js");
} else {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
