import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

/** `npm run check`: runs all static checks, one per processor at a time. */
const CHECKS = ["typecheck", "lint", "layers", "unused"];

const waiting = process.argv.length > 2 ? process.argv.slice(2) : CHECKS;
const failed: string[] = [];

/** Buffers the output of a check until it ends, so that outputs do not mix. */
async function check(name: string): Promise<void> {
  const child = spawn("npm", ["run", name], { stdio: ["ignore", "pipe", "pipe"] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => said.push(part));
  }
  const [code] = await once(child, "close");
  process.stdout.write(Buffer.concat(said));
  if (code !== 0) failed.push(name);
}

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), CHECKS.length) }, work));
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.map((name) => `npm run ${name}`).join(", ")}\n`);
  process.exitCode = 1;
}
