import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const CLI = resolve(import.meta.dirname, "../../bin/cairn.js");

/** Environment of a process that stores its data in this folder and embeds nothing. */
export function createEnvironment(home: string, more: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, CAIRN_EMBEDDING_PROVIDER: "none", ...more };
}

/** Starts the built program of this checkout or another one, with a promise of its stdout. */
export function startCairn(
  home: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  program = CLI,
): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: createEnvironment(home, variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A `cairn serve` process on a free port. */
export class ServeProcess {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  static async start(
    home: string,
    variables: Readonly<Record<string, string>>,
    program = CLI,
  ): Promise<ServeProcess> {
    const child = startCairn(home, ["serve", "--port", "0"], variables, program);
    const ended = once(child, "exit");
    let reply = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.resume();
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        reply += text;
        const address = /listening on (http:\/\/\S+)/.exec(reply)?.[1];
        if (address !== undefined) resolve(address);
      });
      void ended.then(() => reject(new Error(`cairn serve ended: ${reply}`)));
    });
    return new ServeProcess(child, url, ended);
  }

  private constructor(child: ChildProcess, url: string, ended: Promise<unknown>) {
    this.#child = child;
    this.#ended = ended;
    this.url = url;
    this.pid = child.pid ?? 0;
  }

  /** CPU milliseconds so far. */
  get cpuMs(): number {
    return cpuMsOf(this.pid);
  }

  async end(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}

/** User and system time of a process so far, in milliseconds. The kernel reports 10 ms ticks. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}
