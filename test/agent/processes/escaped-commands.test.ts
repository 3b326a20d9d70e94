import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { killLeftovers, ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";

function table() {
  const name = `escape${Math.random().toString(36).slice(2)}`;
  const processes = new ProcessTable({
    name,
    cwd: tmpdir(),
    environment: { PATH: process.env.PATH ?? "" },
    wrap: unwrapped,
    guard: new ExitGuard(),
  });
  onTestFinished(() => processes.killAll());
  return { name, processes };
}

/** Starts a command that detaches from its parent and waits until it runs. */
async function startDetached(processes: ProcessTable, start: (command: string) => string) {
  const command = createSleepCommand();
  const started = await processes.start(start(command));
  await started.ended;
  // `env` or `setsid` are in the command line until they exec the command.
  const isOnItsOwn = () => {
    const lines = liveCommands(command);
    return lines.length > 0 && lines.every((line) => line.startsWith("sleep"));
  };
  await expect.poll(isOnItsOwn, { timeout: 60_000 }).toBe(true);
  return command;
}

const WAYS: Readonly<Record<string, (command: string) => string>> = {
  "drops its environment and its session": (command) =>
    `env -i setsid ${command} >/dev/null 2>&1 </dev/null &`,
  "drops the mark alone": (command) =>
    `env -u CAIRN_PROCESS_TREE setsid ${command} >/dev/null 2>&1 &`,
  "starts its own children so": (command) =>
    `env -i setsid sh -c '${command} & exec ${command}' >/dev/null 2>&1 &`,
};

it.skipIf(process.platform !== "linux").for(Object.keys(WAYS))(
  "kills a process that %s with its thread, without a sandbox",
  async (way) => {
    const { processes } = table();
    const command = await startDetached(processes, WAYS[way] as (command: string) => string);
    await processes.killAll();
    expect(liveCommands(command)).toEqual([]);
  },
);

it.skipIf(process.platform !== "linux")(
  "it is found again by the next start, when cairn was killed",
  async () => {
    const { name, processes } = table();
    const command = await startDetached(
      processes,
      (one) => `env -i setsid ${one} >/dev/null 2>&1 &`,
    );
    await killLeftovers(`${name}.`);
    expect(liveCommands(command)).toEqual([]);
  },
);

it.skipIf(process.platform !== "linux")(
  "is still attributed to the agent, so that it cannot trust a project",
  async () => {
    const { processes } = table();
    const module = join(import.meta.dirname, "../../../src/agent/processes/child-environment.ts");
    const script = `import { startedByAgent } from ${JSON.stringify(module)}; console.log(startedByAgent(process.env))`;
    const answer = join(tmpdir(), `escaped-${randomUUID()}`);
    onTestFinished(() => rmSync(answer, { force: true }));
    const node = `${process.execPath} --import ${import.meta.resolve("tsx")} --input-type=module -e '${script}'`;
    const started = await processes.start(`env -i setsid ${node} >${answer} 2>&1 &`);
    await started.ended;
    await expect.poll(() => readFileSync(answer, "utf8"), { timeout: 90_000 }).toBe("true\n");
  },
);
