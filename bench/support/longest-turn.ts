import { readFileSync } from "node:fs";

/**
 * Preloaded into a server. On SIGUSR2 it prints to stderr the longest turn of the event loop since
 * the last signal, in CPU milliseconds of the thread, so that other load on the machine does not
 * count.
 */
const INTERVAL_MS = 2;
let longest = 0;
let before = readThreadMs();

setInterval(() => {
  const now = readThreadMs();
  longest = Math.max(longest, now - before);
  before = now;
}, INTERVAL_MS).unref();

process.on("SIGUSR2", () => {
  process.stderr.write(`longest turn ${longest.toFixed(1)}\n`);
  longest = 0;
  before = readThreadMs();
});

/** Linux reports the run time of each thread in nanoseconds. */
function readThreadMs(): number {
  const [nanoseconds] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
