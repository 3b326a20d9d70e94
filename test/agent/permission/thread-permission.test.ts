import { execFileSync } from "node:child_process";
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

/** Subscribes to permission prompts as a client that can answer them. */
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

describe("a call that prompts", () => {
  it("waits, shows its diff, and runs once allowed", async () => {
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

  it("passes a denial's message to the model and does nothing", async () => {
    const harness = await start("ask", { answers: [write("a.txt"), { text: "ok" }] });
    attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, {
        decision: "no",
        message: "use b.txt",
      }),
    );
    await harness.say("write it");
    expect(existsSync(join(harness.projectRoot, "a.txt"))).toBe(false);
    expect(resultsOf(harness)).toContain("The user rejected this call: use b.txt");
  });

  it("is remembered for its session, and for no other", async () => {
    const said = { text: "done" };
    const answers = [shell("touch one"), said, shell("touch two"), said, shell("touch three")];
    const harness = await start("ask", { answers });
    const requests: string[] = [];
    attach(harness, ({ threadId, questionId }) => {
      requests.push(threadId);
      harness.host.permission.answer(threadId, questionId, { decision: "session" });
    });
    await harness.say("first");
    await harness.say("second");
    expect(requests).toEqual(["t"]);
    await harness.host.create({ threadId: "other" });
    await harness.say("third", "other");
    expect(requests).toEqual(["t", "other"]);
    expect(existsSync(join(harness.options.userConfigDir, "permissions"))).toBe(false);
  });

  it("is remembered after always, for the next start too", async () => {
    const answers = [shell("touch one"), { text: "1" }, shell("touch two"), { text: "2" }];
    const harness = await start("ask", { answers });
    let requestCount = 0;
    attach(harness, ({ threadId, questionId, always }) => {
      requestCount += 1;
      expect(always).toEqual(["shell touch *"]);
      harness.host.permission.answer(threadId, questionId, { decision: "always" });
    });
    await harness.say("first");
    const again = await harness.restart();
    await again.say("second");
    expect(requestCount).toBe(1);
    expect(existsSync(join(harness.projectRoot, "two"))).toBe(true);
  });

  it("is part of the thread state until answered, and is dropped by a cancel", async () => {
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

describe("if no user can be prompted", () => {
  it("a terminal's call is denied with a sentence that names the flag", async () => {
    const harness = await start("ask", { answers: [shell("touch x"), { text: "ok" }] });
    await harness.say("go");
    expect(existsSync(join(harness.projectRoot, "x"))).toBe(false);
    expect(resultsOf(harness)).toContain("--permission auto");
  });

  it("a server in mode auto works, and denies with the setting's name what always prompts", async () => {
    const rules = [
      { tool: "shell", pattern: "touch never", action: "ask" as const },
      { tool: "shell", pattern: "rm -rf build", action: "allow" as const },
    ];
    const commands = ["rm -f none; touch one", "touch never", "rm -rf old", "rm -rf build"];
    const dangerous = ["git push && touch pushed", "curl https://example.com; touch fetched"];
    const harness = await start("auto", {
      surface: "server",
      settings: { permission: { mode: "auto", rules } },
      answers: [...[...commands, ...dangerous].map(shell), { text: "ok" }],
    });
    for (const name of ["old", "build"]) await mkdir(join(harness.projectRoot, name));
    await harness.say("go");
    const left = ["one", "never", "old", "build", "pushed", "fetched"].filter((name) =>
      existsSync(join(harness.projectRoot, name)),
    );
    expect(left).toEqual(["one", "old"]);
    const output = resultsOf(harness);
    for (const reason of [
      "files that may not be in git",
      "others will see",
      "reaches the network",
    ]) {
      expect(output).toContain(reason);
    }
    expect(output).toContain("permission.rules");
  });

  it("a server denies what cannot be judged without a sandbox", async () => {
    const harness = await start("auto", {
      surface: "server",
      answers: [shell('x=touch; "$x" made'), { text: "ok" }],
    });
    await harness.say("go");
    expect(existsSync(join(harness.projectRoot, "made"))).toBe(false);
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
    expect(resultsOf(harness)).toContain("plan mode allows no changes");
  });

  it("mode edits prompts before it overwrites an unread file, and not after reading it", async () => {
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

  it("is ask without a sandbox, and follows the key", async () => {
    const harness = await startHarness({ surface: "terminal" });
    onTestFinished(() => harness.close());
    expect(await harness.host.permission.settled).toBe("ask");
    expect(harness.host.permission.cycleMode()).toBe("edits");
    expect(harness.host.info.permissionMode).toBe("edits");
  });
});

describe("outside of the project", () => {
  const outside = async (decision: "once" | "no", mode = "auto") => {
    const harness = await start(mode, { answers: [write("../out.txt"), { text: "ok" }] });
    const asked: PermissionQuestion[] = [];
    attach(harness, (question) => {
      asked.push(question);
      const { threadId, questionId } = question;
      harness.host.permission.answer(threadId, questionId, { decision });
    });
    await harness.say("go");
    return { asked, path: join(harness.projectRoot, "../out.txt") };
  };

  it("prompts with a diff, and writes once allowed", async () => {
    const { asked, path } = await outside("once");
    expect(asked).toMatchObject([
      { reason: "it is outside the project", diff: expect.stringContaining("+new") },
    ]);
    expect(await readFile(path, "utf8")).toBe("new\n");
  });

  it("leaves the file unchanged on a denial", async () => {
    expect(existsSync((await outside("no")).path)).toBe(false);
  });

  it("never reads cairn's own credentials, whatever the rules", async () => {
    const read = (path: string) => ({ toolCalls: [{ name: "read", args: { path } }] });
    const harness = await start("auto", {
      answers: [read("../config/config.json"), { text: "ok" }],
    });
    await mkdir(join(harness.projectRoot, "../config"), { recursive: true });
    await writeFile(join(harness.projectRoot, "../config/config.json"), '{"apiKey":"sk-own"}');
    attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, { decision: "once" }),
    );
    await harness.say("go");
    expect(resultsOf(harness)).toContain("contains credentials of cairn");
    expect(resultsOf(harness)).not.toContain("sk-own");
  });

  it("prompts before it writes files that editors and other agents execute, also in the project", async () => {
    const harness = await start("auto", { answers: [write(".vscode/tasks.json"), { text: "ok" }] });
    const reasons: string[] = [];
    attach(harness, ({ threadId, questionId, reason }) => {
      reasons.push(reason);
      harness.host.permission.answer(threadId, questionId, { decision: "no" });
    });
    await harness.say("go");
    expect(reasons).toEqual(["it changes what other programs run later"]);
  });
});

describe("the shown call equals the executed one", () => {
  it.each(["plan", "ask", "edits", "auto"])(
    "a command with signs that no card shows is refused in mode %s",
    async (mode) => {
      const hidden = [
        "make \x1b]; touch ran #\x07",
        "echo \u0098; touch ran; : \u009c",
        "ls \u202e; touch ran",
      ];
      const harness = await start(mode, { answers: [...hidden.map(shell), { text: "done" }] });
      const { notices } = attach(harness, ({ threadId, questionId }) =>
        harness.host.permission.answer(threadId, questionId, { decision: "once" }),
      );
      await harness.say("go");
      expect(notices).toEqual([]);
      expect(existsSync(join(harness.projectRoot, "ran"))).toBe(false);
      expect(resultsOf(harness)).toContain("would be invisible");
    },
  );

  it("escapes control characters in a diff", async () => {
    const args = { path: "run.sh", content: "make \x1b[2K\r./evil.sh\n" };
    const call = { toolCalls: [{ name: "write", args }] };
    const harness = await start("ask", { answers: [call, { text: "done" }] });
    const { notices } = attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, { decision: "no" }),
    );
    await harness.say("write it");
    expect(notices[0]).toMatchObject({
      question: { diff: expect.stringContaining("+make \\x1b[2K\\x0d./evil.sh") },
    });
  });
});

describe("files that are acted upon later", () => {
  it.each([
    "AGENTS.md",
    "packages/a/.npmrc",
    ".cargo/config.toml",
    ".github/workflows/ci.yml",
    "sub/.vscode/tasks.json",
    "sub/.envrc",
    ".husky/pre-commit",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "mise.toml",
    ".exrc",
    ".cairn/skills/x/SKILL.md",
    "sub/.claude/settings.json",
    "my-hooks/pre-commit",
    "scripts/clean.sh",
  ])("prompt in every mode: %s", async (path) => {
    const harness = await start("auto", { answers: [write(path), { text: "done" }] });
    const git = (...words: string[]) => execFileSync("git", words, { cwd: harness.projectRoot });
    git("init", "-q");
    git("config", "core.hooksPath", "my-hooks");
    git("config", "filter.tidy.clean", "sh ./scripts/clean.sh %f");
    const { notices } = attach(harness, ({ threadId, questionId }) =>
      harness.host.permission.answer(threadId, questionId, { decision: "no" }),
    );
    await harness.say("write it");
    expect(notices[0]).toMatchObject({
      question: { reason: expect.stringContaining("changes what other programs run later") },
    });
    expect(existsSync(join(harness.projectRoot, path))).toBe(false);
  });
});
