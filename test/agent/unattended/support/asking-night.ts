import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface AskingNight {
  readonly project: string;
  readonly dataDir: string;
  readonly baseUrl: string;
}

/** A run in a process of its own, with what it says. */
export function startAskingNight(night: AskingNight) {
  const program = fileURLToPath(new URL("asking-night.child.ts", import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", program, JSON.stringify(night)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const said: string[] = [];
  child.stdout?.on("data", (chunk: Buffer) => said.push(String(chunk)));
  child.stderr?.on("data", (chunk: Buffer) => said.push(String(chunk)));
  const ended = once(child, "close");
  return {
    told: () => said.join(""),
    ended,
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
