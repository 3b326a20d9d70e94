import { rmSync } from "node:fs";
import { messageOf } from "../../kernel/errors.ts";
import type { FilesystemRules, SandboxAnswer, SandboxRequest } from "./sandbox-messages.ts";

const folder = process.cwd();
const filesystem = readRules(process.argv[2]);
const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");

// The library leaves the network alone without a list of allowed domains, which its types demand.
const OPEN_NETWORK = { deniedDomains: [] } as unknown as Parameters<
  typeof SandboxManager.initialize
>[0]["network"];

// Ctrl-C in a terminal reaches the whole group: the parent decides when this ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("disconnect", leave);
process.on("message", (message) => void answer(message as SandboxRequest));

async function answer(request: SandboxRequest): Promise<void> {
  if ("finished" in request) {
    SandboxManager.cleanupAfterCommand();
    return;
  }
  try {
    reply({ id: request.id, result: await work(request) });
  } catch (error) {
    reply({ id: request.id, error: messageOf(error) });
  }
}

async function work(request: { start: true } | { wrap: string }): Promise<string> {
  if ("wrap" in request) {
    return SandboxManager.wrapWithSandbox(request.wrap, undefined, { filesystem: mutableRules() });
  }
  await SandboxManager.initialize({ network: OPEN_NETWORK, filesystem: mutableRules() });
  return "";
}

async function leave(): Promise<void> {
  await SandboxManager.reset().catch(() => undefined);
  process.chdir("/");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function reply(message: SandboxAnswer): void {
  process.send?.(message);
}

function mutableRules() {
  const { allowWrite, denyWrite, denyRead } = filesystem;
  return { allowWrite: [...allowWrite], denyWrite: [...denyWrite], denyRead: [...denyRead] };
}

function readRules(argument = "{}"): FilesystemRules {
  return JSON.parse(argument) as FilesystemRules;
}
