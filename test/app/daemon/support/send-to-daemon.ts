import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { Question } from "../../../../src/app/daemon/client.ts";
import type { DaemonRequest } from "../../../../src/app/daemon/daemon-client.ts";
import { createProof } from "../../../../src/app/daemon/daemon-client.ts";
import { connectToDaemon, programStamp } from "../../../../src/app/daemon/daemon-folder.ts";
import { writeKeys } from "../../../../src/cli/process-line.ts";
import { runCommandLine } from "../../../../src/cli/run-command-line.ts";
import { stderrLogger } from "../../../../src/shared/logger.ts";
import type { CliResult } from "../../../support/run-cli.ts";
import { waitFixedTime } from "../../../support/wait-fixed-time.ts";
import type { DaemonFixture, StartOptions } from "./daemon-fixture.ts";

export interface DaemonResult extends CliResult {
  readonly by: "daemon" | "command";
}

/** Sends a request to the daemon as `bin/cairn.js` does, without starting a process. */
export async function sendToDaemon(
  fixture: DaemonFixture,
  args: readonly string[],
  options: StartOptions = {},
): Promise<DaemonResult> {
  const request = requestOf(fixture, args, options);
  const stdin = Buffer.from(options.stdin ?? "");
  const socket = await connectToDaemon(fixture.folder);
  const answer =
    socket &&
    (await new Question(socket, { request, takeStdin: () => Promise.resolve(stdin) }).answer());
  if (answer !== undefined && answer !== "untouched") {
    const text = (stream: 1 | 2) =>
      answer.output.map(([to, part]) => (to === stream ? part : "")).join("");
    return { by: "daemon", code: answer.code, stdout: text(1), stderr: text(2) };
  }
  return runAlone(request, stdin);
}

export function requestOf(
  place: DaemonFixture,
  args: readonly string[],
  { env = {}, cwd = place.project }: StartOptions = {},
): DaemonRequest {
  const id = randomUUID();
  return {
    ask: "run",
    id,
    program: programStamp(place.daemonFile),
    proof: createProof(place.folder, id),
    args,
    cwd,
    env: { ...place.env, ...env },
    umask: process.umask(),
    stdin: {},
    stdout: {},
    stderr: {},
  };
}

async function runAlone(
  { id, args, env, cwd }: DaemonRequest,
  stdin: Buffer,
): Promise<DaemonResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([textOf(stdout), textOf(stderr)]);
  const code = await runCommandLine(args, {
    ...{ env, cwd, stdout, stderr },
    stdin: Readable.from([stdin]),
    logger: stderrLogger(stderr),
    furtherOperations: [],
    once: writeKeys(id),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { by: "command", code, stdout: out ?? "", stderr: err ?? "" };
}

async function textOf(stream: PassThrough): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export async function startDaemon(fixture: DaemonFixture): Promise<number> {
  fixture.makeFolder();
  const child = spawn(process.execPath, [fixture.daemonFile, fixture.folder], {
    cwd: fixture.folder,
    env: fixture.env,
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code, signal) => reject(new Error(`it ended with ${signal ?? code}`)));
  });
  ended.catch(() => undefined);
  for (;;) {
    const socket = await Promise.race([connectToDaemon(fixture.folder), ended]);
    socket?.destroy();
    if (socket !== undefined) return child.pid ?? 0;
    await Promise.race([waitFixedTime(20, "retry interval"), ended]);
  }
}
