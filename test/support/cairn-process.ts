import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildCli } from "./built-cli.ts";
import { databaseVariables } from "./test-backend.ts";
import { waitFixedTime } from "./wait-fixed-time.ts";

export function createCairnFolders() {
  const root = mkdtempSync(join(tmpdir(), "cairn-process-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(root, "home");
  const project = join(root, "project");
  mkdirSync(home);
  mkdirSync(project);
  return { home, project };
}

export interface CairnOptions {
  readonly place: { readonly home: string; readonly project: string };
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string | undefined;
}

export class CairnProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = "";
  stdout = "";

  static async start({ place, args, env = {}, program }: CairnOptions): Promise<CairnProcess> {
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [program ?? (await buildCli()), ...args], {
      cwd: place.project,
      env: {
        ...{ PATH, HOME: place.home, CAIRN_EMBEDDING_PROVIDER: "none" },
        ...databaseVariables(place.home),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new CairnProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.child = child;
    this.child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    this.exited = once(this.child, "close").then(([code, signal]) => ({ code, signal }));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  /** Returns the URL of the ready line, in text or JSON form. */
  async ready(): Promise<string> {
    const line = /^(?:\{.*")?cairn [a-z-]+ listening on (http:\/\/[^\s"]+)(?:"\})?$/m;
    const ended = this.exited.then(() => "ended");
    for (;;) {
      const url = line.exec(this.stderr)?.[1];
      if (url !== undefined) return url;
      const pause = waitFixedTime(20, "retry interval");
      if ((await Promise.race([pause, ended])) === "ended") {
        throw new Error(`cairn ended before it was ready:\n${this.stderr}`);
      }
    }
  }
}
