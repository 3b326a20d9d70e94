import { readdirSync, readFileSync } from "node:fs";

/** Command lines of live processes that contain `text`; zombies have none. */
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

/** A number of seconds that no other test sleeps. */
export function uniqueSleep(): string {
  return `sleep ${1000 + Math.random() * 1000}`;
}
