import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PermissionNotice, PermissionQuestion } from "../../../src/agent/index.ts";
import { type HarnessOptions, startHarness } from "../support/thread-harness.ts";

async function start(mode: string, options: HarnessOptions = {}) {
  const permission = { mode: mode as "ask", rules: [] };
  const harness = await startHarness({
    surface: "terminal",
    ...options,
    settings: { permission, ...options.settings },
  });
  onTestFinished(() => harness.close());
  return harness;
}

const shell = (command: string) => ({ toolCalls: [{ name: "shell", args: { command } }] });
const write = (path: string, overwrite = false) => ({
  toolCalls: [{ name: "write", args: { path, content: "new\n", overwrite } }],
});

type Harness = Awaited<ReturnType<typeof start>>;

/** The questions of the host, as a surface that can answer gets them. */
function attach({ host }: Harness, answer?: (question: PermissionQuestion) => void) {
  const notices: PermissionNotice[] = [];
  const leave = host.permission.attach((notice) => {
    notices.push(notice);
    if (notice.type === "permission.ask") answer?.(notice.question);
  });
  return { notices, leave };
}

function resultsOf({ model }: Harness): string {
  return JSON.stringify(model.requests.at(-1)?.body ?? model.requests.at(-1));
}

describe("a call that asks", () => {
  it("waits, is shown with its diff, and runs once it is allowed", async () => {
    const harness = await start("ask", { answers: [write("a.txt"), { text: "done" }] });
    const { notices } = attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, { decision: "once" }),
    );
    await harness.say("write it");
    const [asked, settled] = notices;
    expect(asked).toMatchObject({
      question: { tool: "write", title: "a.txt", diff: expect.stringContaining("+new") },
    });
    expect(settled).toMatchObject({ type: "permission.settled", decision: "once" });
    expect(await readFile(join(harness.projectRoot, "a.txt"), "utf8")).toBe("new\n");
  });

  it("gives the words of a no to the model and does nothing", async () => {
    const harness = await start("ask", { answers: [write("a.txt"), { text: "ok" }] });
    attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, {
        decision: "no",
        message: "use b.txt",
      }),
    );
    await harness.say("write it");
    expect(existsSync(join(harness.projectRoot, "a.txt"))).toBe(false);
    expect(resultsOf(harness)).toContain("The user said no to this call: use b.txt");
  });

  it("is remembered after always, for the next start too", async () => {
    const answers = [shell("touch one"), { text: "1" }, shell("touch two"), { text: "2" }];
    const harness = await start("ask", { answers });
    let asked = 0;
    attach(harness, ({ threadId, questionId, always }) => {
      asked += 1;
      expect(always).toEqual(["shell touch *"]);
      harness.host.permission.answer(threadId, questionId, { decision: "always" });
    });
    await harness.say("first");
    const again = await harness.restart();
    await again.say("second");
    expect(asked).toBe(1);
    expect(existsSync(join(harness.projectRoot, "two"))).toBe(true);
  });

  it("is part of the thread's state until it is answered, and is given up by a cancel", async () => {
    const harness = await start("ask", { answers: [shell("touch x"), { text: "no" }] });
    const { notices } = attach(harness);
    await harness.host.send("t", "go");
    await expect.poll(() => harness.host.list()[0]?.pendingPermission?.command).toBe("touch x");
    const late = attach(harness);
    expect(late.notices).toEqual([expect.objectContaining({ type: "permission.ask" })]);
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(harness.host.list()[0]?.pendingPermission).toBeUndefined();
    expect(notices.at(-1)).toMatchObject({ decision: "cancelled" });
    expect(existsSync(join(harness.projectRoot, "x"))).toBe(false);
  });
});

describe("where nobody can be asked", () => {
  it("a terminal's call is denied with a sentence that names the flag", async () => {
    const harness = await start("ask", { answers: [shell("touch x"), { text: "ok" }] });
    await harness.say("go");
    expect(existsSync(join(harness.projectRoot, "x"))).toBe(false);
    expect(resultsOf(harness)).toContain("--permission auto");
  });

  it("a server in mode auto goes on as before, but for what a rule asks or denies", async () => {
    const rules = [{ tool: "shell", pattern: "touch never", action: "ask" as const }];
    const harness = await start("auto", {
      surface: "server",
      settings: { permission: { mode: "auto", rules } },
      answers: [shell("rm -rf old"), shell("touch never"), { text: "ok" }],
    });
    await mkdir(join(harness.projectRoot, "old"));
    await harness.say("go");
    expect(existsSync(join(harness.projectRoot, "old"))).toBe(false);
    expect(existsSync(join(harness.projectRoot, "never"))).toBe(false);
  });
});

describe("modes", () => {
  it("plan changes nothing", async () => {
    const harness = await start("plan", {
      answers: [write("a.txt"), shell("touch x"), { text: "ok" }],
    });
    attach(harness);
    await harness.say("go");
    expect(existsSync(join(harness.projectRoot, "a.txt"))).toBe(false);
    expect(existsSync(join(harness.projectRoot, "x"))).toBe(false);
    expect(resultsOf(harness)).toContain("in plan mode nothing is changed");
  });

  it("edits asks before a file is overwritten that was not read, and not after it was", async () => {
    const read = { toolCalls: [{ name: "read", args: { path: "a.txt" } }] };
    const harness = await start("edits", {
      answers: [write("a.txt", true), read, write("a.txt", true), { text: "ok" }],
    });
    await writeFile(join(harness.projectRoot, "a.txt"), "old\n");
    const reasons: string[] = [];
    attach(harness, ({ threadId, questionId, reason }) => {
      reasons.push(reason);
      harness.host.permission.answer(threadId, questionId, { decision: "no" });
    });
    await harness.say("go");
    expect(reasons).toEqual(["it overwrites a file that was not read in this thread"]);
    expect(await readFile(join(harness.projectRoot, "a.txt"), "utf8")).toBe("new\n");
  });

  it("is ask where nothing confines, and follows the key", async () => {
    const harness = await startHarness({ surface: "terminal" });
    onTestFinished(() => harness.close());
    expect(await harness.host.permission.settled).toBe("ask");
    expect(harness.host.permission.cycleMode()).toBe("edits");
    expect(harness.host.info.permissionMode).toBe("edits");
  });
});
