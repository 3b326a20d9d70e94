import { readdirSync, readFileSync } from "node:fs";

/** Returns the command lines of live processes that contain `text`. Zombies have none. */
export function liveCommands(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** Random, so that each test finds only its own process. */
export function createSleepCommand(): string {
  return `sleep ${1000 + Math.random() * 1000}`;
}
