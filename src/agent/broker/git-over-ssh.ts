import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { homedir } from "node:os";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import type { BrokerAnswer, BrokerRequest } from "./door.ts";
import type { SshPlace } from "./git-remotes.ts";

export type GitService = "git-upload-pack" | "git-receive-pack";

/** An answer to a look at a repository holds all its branches and tags. */
const MOST_BYTES = 256 * 1024 * 1024;
const FLUSH = "0000";
const LONGEST_MS = 60_000;
const CONFIG_MS = 10_000;
const MOST_SAID = 2_000;
const SHOWN_LINES = 5;

interface SshWish {
  readonly place: SshPlace;
  readonly service: GitService;
  /** In which the person's ssh runs. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Answers git's protocol over http from a repository that is reached over ssh. ssh is started here, with the
 * person's keys, agent and config, and with words of cairn's alone: nothing of the request becomes a part of
 * them. Each request is a connection of its own, since over http each stands for itself.
 */
export async function answerOverSsh(
  { path, headers, body }: Pick<BrokerRequest, "path" | "headers" | "body">,
  wish: SshWish,
): Promise<BrokerAnswer> {
  const { service } = wish;
  const asked = String(headers["git-protocol"] ?? "");
  // The other direction knows no second version.
  const version = service === "git-upload-pack" && asked === "version=2" ? asked : undefined;
  const child = await connect(wish, version);
  const told = await Promise.race([untilFlush(child.stdout), failureOf(child)]);
  if (path.endsWith("info/refs")) {
    child.stdin.end(FLUSH);
    child.stdout.resume();
    const head = version === undefined ? `${packet(`# service=${service}\n`)}${FLUSH}` : "";
    return answerOf(
      `application/x-${service}-advertisement`,
      Buffer.concat([Buffer.from(head), told]),
    );
  }
  const packed = headers["content-encoding"] === "gzip" ? body.pipe(createGunzip()) : body;
  packed.once("error", () => child.kill());
  packed.pipe(child.stdin);
  child.stdout.once("close", () => child.kill());
  return answerOf(`application/x-${service}-result`, child.stdout);
}

function answerOf(type: string, body: Readable | Buffer): BrokerAnswer {
  return { status: 200, headers: { "content-type": type, "cache-control": "no-cache" }, body };
}

async function connect(
  { place, service, environment }: SshWish,
  version: string | undefined,
): Promise<ChildProcessWithoutNullStreams> {
  const { destination, port, path } = place;
  const words = [
    ...["-o", "BatchMode=yes", "-o", "SendEnv=GIT_PROTOCOL"],
    ...(port === undefined ? [] : ["-p", port]),
    ...[destination, `${service} '${path.replaceAll("'", "'\\''")}'`],
  ];
  // The person's own may be a command with options; git runs it by a shell, too.
  const program = environment.GIT_SSH_COMMAND ?? (await configuredSsh(environment)) ?? "ssh";
  const child = spawn("sh", ["-c", `exec ${program} "$@"`, "ssh", ...words], {
    cwd: homedir(),
    env: { ...environment, ...(version !== undefined && { GIT_PROTOCOL: version }) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // It may have ended before it read everything.
  child.stdin.on("error", () => undefined);
  return child;
}

/** Of the person's own config: asked for in the home folder, where no project has a word. */
async function configuredSsh(
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const words = ["config", "--global", "--get", "core.sshCommand"];
  const options = { cwd: homedir(), env: { ...environment }, timeout: CONFIG_MS };
  const asked = await promisify(execFile)("git", words, options).catch(() => ({ stdout: "" }));
  const command = asked.stdout.trim();
  return command === "" ? undefined : command;
}

/** Rejects with what ssh said, once it has ended without an answer or takes too long for one. */
function failureOf(child: ChildProcessWithoutNullStreams): Promise<never> {
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-MOST_SAID);
  });
  const failure = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => child.kill(), LONGEST_MS);
    // Once it answers, it may take as long as what it sends.
    child.stdout.once("data", () => clearTimeout(timer));
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      const last = said.trim().split("\n").slice(-SHOWN_LINES).join("\n");
      reject(new Error(`ssh: ${last === "" ? "it ended without an answer" : last}`));
    });
  });
  // After the answer has begun nobody waits for this.
  failure.catch(() => undefined);
  return failure;
}

/** The first part of what comes, up to the packet that ends it. */
function untilFlush(out: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    let at = 0;
    const onData = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      for (;;) {
        if (held.length < at + 4) return;
        const length = Number.parseInt(held.subarray(at, at + 4).toString("latin1"), 16);
        const isFlush = length === 0;
        if (Number.isNaN(length) || held.length > MOST_BYTES) {
          stop();
          reject(new Error("The other side does not speak as git does."));
          return;
        }
        if (!isFlush) {
          at += Math.max(length, 4);
          continue;
        }
        stop();
        if (held.length > at + 4) out.unshift(held.subarray(at + 4));
        resolve(held.subarray(0, at + 4));
        return;
      }
    };
    const stop = () => {
      out.off("data", onData);
      out.pause();
    };
    out.on("data", onData);
  });
}

function packet(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
}
