import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import type { Operation } from "../../src/memory/index.ts";
import { stderrLogger } from "../../src/shared/logger.ts";
import { buildCli } from "./built-cli.ts";
import { backendVariables } from "./test-backend.ts";

export interface CliFolders {
  readonly home: string;
  readonly project: string;
  readonly dataDir: string;
}

export function createCliFolders(): CliFolders {
  const root = mkdtempSync(join(tmpdir(), "cairn-cli-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const folders = {
    home: join(root, "home"),
    project: join(root, "project"),
    dataDir: join(root, "data"),
  };
  mkdirSync(folders.home);
  mkdirSync(folders.project);
  return folders;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string | undefined;
}

/** No embedder; embeddings have their own tests. */
export const environment = (folders: CliFolders) => ({
  HOME: folders.home,
  ...backendVariables(folders.dataDir),
  CAIRN_EMBEDDING_PROVIDER: "none",
});

export async function runInProcess(
  folders: CliFolders,
  args: readonly string[],
  {
    stdin = "",
    env = {},
    furtherOperations = [],
    ...terminal
  }: CliOptions & {
    isTTY?: boolean;
    columns?: number;
    furtherOperations?: readonly Operation[];
  } = {},
): Promise<CliResult> {
  const stdout = sink(terminal);
  const stderr = sink({});
  const code = await runCommandLine(args, {
    env: { ...environment(folders), ...env },
    cwd: folders.project,
    stdin: Readable.from(stdin === "" ? [] : [stdin]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    logger: stderrLogger(stderr.stream),
    furtherOperations,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function sink(terminal: { isTTY?: boolean; columns?: number }) {
  const chunks: Buffer[] = [];
  const stream = Object.assign(new PassThrough(), terminal);
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

export async function startCli(
  folders: CliFolders,
  args: readonly string[],
  { env = {}, program }: CliOptions = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program ?? (await buildCli()), ...args], {
    cwd: folders.project,
    env: { PATH: process.env.PATH ?? "", ...environment(folders), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

export async function runCli(
  cliFolders: CliFolders,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const child = await startCli(cliFolders, args, options);
  child.stdin?.end(options.stdin ?? "");
  return waitForExit(child);
}

export async function waitForExit(child: ChildProcess): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}
