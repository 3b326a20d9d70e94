import type { ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ownProgram } from "../../shared/own-process.ts";
import { isAlive, processNamespace } from "../../shared/process-lock.ts";
import { startProgram } from "../../shared/programs.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import { formatLimits } from "../processes/command-limits.ts";
import type {
  SandboxAnswer,
  SandboxNotice,
  SandboxRules,
  SandboxWork,
} from "./sandbox-messages.ts";
import { endCarriers } from "./socket-carriers.ts";

const FOLDER_PREFIX = "cairn-sandbox-";

/** Creates an empty folder for a helper, and removes those of killed processes. */
export async function makeHelperFolder(): Promise<string> {
  const here = processNamespace();
  await removeAbandoned(`${FOLDER_PREFIX}${here}.`);
  return mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${here}.${process.pid}-`));
}

/**
 * Only removes files of this machine or container, since processes elsewhere may share the folder.
 */
async function removeAbandoned(beginning: string): Promise<void> {
  const isAbandoned = (name: string) =>
    name.startsWith(beginning) && !isAlive(Number.parseInt(name.slice(beginning.length), 10));
  endCarriers(isAbandoned);
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter(isAbandoned);
  // Folders of another user stay.
  const removed = abandoned.map((name) =>
    rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined),
  );
  await Promise.all(removed);
}

export interface SandboxHelper {
  readonly wrap: CommandWrapper;
  readonly isAlive: boolean;
  close(): Promise<void>;
}

export interface HelperEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  readonly onNotice: (notice: string) => void;
  readonly onHost: (host: string, isAllowed: boolean) => void;
}

interface Waiting {
  readonly resolve: (command: string) => void;
  readonly reject: (error: Error) => void;
}

const CLOSE_MS = 2_000;

/**
 * Starts the sandbox library in a process of its own, in an empty folder, since it leaves mount
 * points such as `.bashrc` in its working folder, which would break `git add -A` in a project. The
 * process ends with this one.
 */
export async function startSandboxHelper(
  rules: SandboxRules,
  { environment, ...listeners }: HelperEnvironment,
): Promise<SandboxHelper> {
  const folder = await makeHelperFolder();
  const { file, argv } = ownProgram(new URL("./sandbox.child.ts", import.meta.url));
  const child = startProgram(process.execPath, [file, ...argv, JSON.stringify(rules)], {
    cwd: folder,
    // Without credentials; keeps the library's temporary files and sockets in reach of commands.
    env: {
      ...environment,
      CLAUDE_CODE_TMPDIR: tmpdir(),
      ...(rules.temporary !== undefined && { TMPDIR: folder }),
    },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // The helper must not keep the program running.
  child.unref();
  child.channel?.unref();
  const requests = new Requests(child, listeners);
  const close = async () => {
    if (child.connected) child.disconnect();
    await waitForExit(child);
    // The helper cleans up itself unless it was killed.
    endCarriers((name) => name === basename(folder));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await requests.send({ start: true });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    wrap: async (
      command,
      { readOnly = false, makesNothing = false, credential = "", scope = "", limits } = {},
    ) => ({
      command: await requests.send({
        wrap: command,
        first: limits === undefined ? "" : formatLimits(limits, "sandbox"),
        ...{ readOnly, makesNothing, credential, scope },
      }),
      finished: () => requests.send({ finished: true, readOnly, makesNothing }),
    }),
    get isAlive() {
      return child.connected;
    },
    close,
  };
}

class Requests {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(
    child: ChildProcess,
    { onNotice, onHost }: Pick<HelperEnvironment, "onNotice" | "onHost">,
  ) {
    this.#child = child;
    child.on("message", (message: SandboxAnswer | SandboxNotice) => {
      if ("notice" in message) return onNotice(message.notice);
      if ("host" in message) return onHost(message.host, message.isAllowed);
      const { id, result, error } = message;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    child.once("error", (error) => this.#failAll(error));
    child.once("exit", () => this.#failAll(new Error("the sandbox's helper process ended")));
  }

  send(request: SandboxWork): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const id = this.#last;
      this.#waiting.set(id, { resolve, reject });
      // A pending request keeps the program running.
      this.#child.channel?.ref();
      if (!this.#child.connected) {
        this.#failAll(new Error("the sandbox's helper process ended"));
        return;
      }
      this.#child.send({ id, ...request }, (error) => {
        if (error !== null) this.#failAll(error);
      });
    }).finally(() => {
      if (this.#waiting.size === 0) this.#child.channel?.unref();
    }) as Promise<string>;
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.ref();
  const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
  await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
}
