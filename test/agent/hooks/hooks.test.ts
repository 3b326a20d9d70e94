import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeHookFailure, runStopHooks } from "../../../src/agent/hooks/run-stop-hooks.ts";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { runGate } from "../../../src/agent/tasks/pass-gates.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createTestProject } from "../support/project.ts";

async function surroundings(options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const { projectRoot } = await createTestProject();
  return {
    cwd: projectRoot,
    environment: { PATH: process.env.PATH ?? "" },
    processName: "test",
    exitGuard: new ExitGuard(),
    wrapCommand: unwrapped,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    ...options,
  };
}

const gate = (...steps: ({ shell: string } | { command: string; args: string[] })[]) => ({
  maxAttempts: 1,
  steps,
});

describe("stop hooks", () => {
  it("see the hook, the folder and the thread, and nothing else of this process", async () => {
    const where = await surroundings();
    const hooks = [{ shell: 'echo "$CAIRN_HOOK $CAIRN_CWD $CAIRN_THREAD_ID [$HOME]" > out' }];
    expect(await runStopHooks({ hooks, threadId: "t1", ...where })).toEqual([]);
    expect(await readFile(join(where.cwd, "out"), "utf8")).toBe(`stop ${where.cwd} t1 []\n`);
  });

  it("reports a failed hook with its output and runs the next", async () => {
    const where = await surroundings();
    const hooks = [{ shell: "echo one; echo two >&2; exit 3" }, { shell: "touch ran" }];
    const [failure, ...others] = await runStopHooks({ hooks, threadId: "t1", ...where });
    expect(others).toEqual([]);
    if (failure === undefined) throw new Error("the failure is missing");
    const text = describeHookFailure("stop", failure);
    expect(text).toMatch(/^The stop hook "echo one;.*" failed: exit code 3\.\n/);
    expect(text.split("\n").slice(1).sort()).toEqual(["one", "two"]);
    expect(await readFile(join(where.cwd, "ran"), "utf8")).toBe("");
  });

  it("does not wait for input", async () => {
    const where = await surroundings();
    expect(await runStopHooks({ hooks: [{ shell: "cat" }], threadId: "t1", ...where })).toEqual([]);
  });
});

describe("a gate", () => {
  it("stops at the first step that fails", async () => {
    const where = await surroundings();
    const outcome = await runGate({
      hook: "taskDone",
      gate: gate(
        { command: "touch", args: ["a b"] },
        { shell: "exit 1" },
        { shell: "touch never" },
      ),
      variables: {},
      ...where,
    });
    expect(outcome).toMatchObject({ step: "exit 1", ok: false, reason: "exit code 1" });
    await expect(readFile(join(where.cwd, "a b"), "utf8")).resolves.toBe("");
    await expect(readFile(join(where.cwd, "never"))).rejects.toThrow();
  });

  it("opens when all steps pass, and passes the task to them", async () => {
    const where = await surroundings();
    const outcome = await runGate({
      hook: "taskDone",
      gate: gate({ shell: '[ "$CAIRN_HOOK $CAIRN_TASK_ID" = "taskDone 1-2" ]' }),
      variables: { CAIRN_TASK_ID: "1-2" },
      ...where,
    });
    expect(outcome).toBe(undefined);
  });

  it("passes command arguments unchanged", async () => {
    const where = await surroundings();
    const words = ["it's", "$HOME", "a  b", "\n", "`date`", "*"];
    const outcome = await runGate({
      hook: "taskDone",
      gate: gate({ command: "printf", args: ["%s|", ...words] }, { shell: "exit 1" }),
      variables: {},
      ...where,
    });
    expect(outcome?.step).toBe("exit 1");
    const shown = await runGate({
      hook: "taskDone",
      gate: gate({ command: "sh", args: ["-c", 'printf "%s|" "$@"; exit 1', "sh", ...words] }),
      variables: {},
      ...where,
    });
    expect(shown?.output).toBe(words.map((word) => `${word}|`).join(""));
  });

  it("a program that does not exist is a failure, not a crash", async () => {
    const where = await surroundings();
    const outcome = await runGate({
      hook: "taskDone",
      gate: gate({ command: "no-such-program", args: [] }),
      variables: {},
      ...where,
    });
    expect(outcome?.reason).toBe("exit code 127");
    expect(outcome?.output).toContain("no-such-program");
  });

  it("a timeout ends the whole group", async () => {
    const where = await surroundings({ timeoutMs: 300 });
    const started = performance.now();
    const outcome = await runGate({
      hook: "planDone",
      gate: gate({ shell: "sleep 60 & echo $! > pid; sleep 60" }),
      variables: {},
      ...where,
    });
    expect(outcome?.reason).toBe("it did not end within 300 ms");
    expect(performance.now() - started).toBeLessThan(15_000);
    await expectGone(Number(await readFile(join(where.cwd, "pid"), "utf8")));
  });

  it("a cancel ends the whole group and rejects with its reason", { tags: ["long"] }, async () => {
    const cancel = new AbortController();
    const where = await surroundings({ signal: cancel.signal });
    const running = runGate({
      hook: "planDone",
      gate: gate({ shell: "trap '' TERM; sleep 60 & echo $! > pid; wait; sleep 60" }),
      variables: {},
      ...where,
    });
    const isRejected = expect(running).rejects.toThrow("cancelled");
    await waitUntil(async () => (await textOf(join(where.cwd, "pid"))) !== "");
    cancel.abort(new Error("cancelled"));
    await isRejected;
    await expectGone(Number(await readFile(join(where.cwd, "pid"), "utf8")));
  });

  it("kills background processes of a hook when it ends", async () => {
    const where = await surroundings();
    const outcome = await runGate({
      hook: "planDone",
      gate: gate({ shell: "setsid sleep 60 & echo $! > pid" }),
      variables: {},
      ...where,
    });
    expect(outcome).toBe(undefined);
    await expectGone(Number(await readFile(join(where.cwd, "pid"), "utf8")));
  });

  it("a flood of output is cut in the middle", async () => {
    const where = await surroundings();
    const outcome = await runGate({
      hook: "planDone",
      gate: gate({ shell: "echo first; yes | head -c 2000000; echo last; exit 1" }),
      variables: {},
      ...where,
    });
    expect(outcome?.output.length).toBeLessThan(80_000);
    expect(outcome?.output).toMatch(/^first\n[\s\S]*bytes omitted[\s\S]*last$/);
  });
});

const textOf = (path: string) => readFile(path, "utf8").catch(() => "");

/** A process counts as gone when it is a zombie that its new parent has not reaped. */
async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await expect
    .poll(() => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone"))
    .toMatch(/^gone$|\) Z /);
}
