// @module-tag long: commands that exhaust resources.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CommandLimits,
  commandLimits,
  unwrapped,
} from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { describeExit } from "../../../src/agent/tools/shell.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const STARTS = {
  "without a sandbox": async (limits: CommandLimits) => {
    const cwd = await mkdtemp(join(tmpdir(), "cairn-limits-"));
    const processes = new ProcessTable({
      name: `limits${Math.random().toString(36).slice(2)}`,
      cwd,
      environment: { PATH: process.env.PATH ?? "" },
      wrap: unwrapped,
      guard: new ExitGuard(limits),
    });
    onTestFinished(async () => {
      await processes.killAll();
      await rm(cwd, { recursive: true, force: true });
    });
    return { cwd, processes };
  },
  "in the sandbox": async (limits: CommandLimits) => {
    const { project, processes } = await openSandboxBench({ limits });
    return { cwd: project, processes };
  },
};

const noSandbox = await findSandboxProblem();
const isHere = (way: string) => way !== "in the sandbox" || noSandbox === undefined;

describe.runIf(process.platform === "linux").each(Object.entries(STARTS))(
  "a command %s",
  (way, open) => {
    async function run(command: string, limits: Partial<CommandLimits>) {
      const { cwd, processes } = await open(commandLimits(limits));
      const started = await processes.start(command);
      await started.ended;
      const failed = describeExit(started) !== "exit code 0";
      return { cwd, output: started.output.text(), failed };
    }

    it.runIf(isHere(way))("that starts ever more is ended with all of them", async () => {
      const sleep = createSleepCommand();
      const command = `i=0; while [ $i -lt 40 ]; do setsid ${sleep} & i=$((i+1)); done; wait`;
      const { output, failed } = await run(command, { processes: 25 });
      expect(output).toMatch(/more than 25 processes and threads/);
      expect(failed).toBe(true);
      await expect.poll(() => liveCommands(sleep), { timeout: 30_000 }).toEqual([]);
    });

    it.runIf(isHere(way))("kills a process whose memory grows beyond the limit", async () => {
      const hold = "const held = Buffer.alloc(90e6, 1); setInterval(() => held.at(0), 1e6)";
      const one = `'${process.execPath}' -e '${hold}'`;
      const { output, failed } = await run(`${one} & ${one} & ${one} & wait`, { memoryMb: 200 });
      expect(output).toMatch(/more than 200 MB of memory/);
      expect(failed).toBe(true);
    });

    it.runIf(isHere(way))("that never stops working is ended", async () => {
      const loop = "while :; do :; done";
      const { output, failed } = await run(`(${loop}) & ${loop}`, { processorSeconds: 1 });
      expect(output).toMatch(/more than 1 seconds of CPU time/);
      expect(failed).toBe(true);
    });

    it.runIf(isHere(way)).each(["yes >big", "yes >big; exit 3", "yes | cat >big"])(
      "that writes without end is ended: %s",
      async (command) => {
        const { cwd, output, failed } = await run(command, { fileMb: 1 });
        expect(output).toMatch(/more than 1 MB in one file/);
        expect(failed).toBe(true);
        expect((await stat(join(cwd, "big"))).size).toBe(1024 * 1024);
      },
    );

    it.runIf(isHere(way))("mentions no limits below them", async () => {
      const command = "head -c 1000000 /dev/zero >big; grep -c x big; echo 'File too large' >note";
      const { output } = await run(`${command}; cat note`, { fileMb: 1, processes: 100 });
      expect(output).toBe("0\nFile too large\n");
    });
  },
);

it.runIf(process.platform === "linux")("applies limits to background processes too", async () => {
  const { processes } = await STARTS["without a sandbox"](commandLimits({ processorSeconds: 1 }));
  const started = await processes.start("(while :; do :; done) >/dev/null 2>&1 &");
  await started.ended;
  await expect.poll(() => started.output.text(), { timeout: 60_000 }).toContain("of CPU time");
  await expect.poll(() => started.groupId, { timeout: 30_000 }).toBeUndefined();
});
