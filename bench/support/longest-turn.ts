import { readFileSync } from "node:fs";

/**
 * Loaded before a server: tells on stderr, whenever it is asked by SIGUSR2, the longest turn of the
 * event loop since it was asked before, in milliseconds that the thread really ran, so that other
 * work on the machine does not count.
 */
const EVERY_MS = 2;
let longest = 0;
let before = ranFor();

setInterval(() => {
  const now = ranFor();
  longest = Math.max(longest, now - before);
  before = now;
}, EVERY_MS).unref();

process.on("SIGUSR2", () => {
  process.stderr.write(`longest turn ${longest.toFixed(1)}\n`);
  longest = 0;
  before = ranFor();
});

/** Linux tells it of each thread, in nanoseconds. */
function ranFor(): number {
  const [nanoseconds] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
