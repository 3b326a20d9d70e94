import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const LINES = Array.from({ length: 30 }, (_unused, index) => `line ${index + 1}`);

function project(root: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, ...args], { stdio: "ignore" });
  writeFileSync(join(root, "a.txt"), `${LINES.join("\n")}\n`);
  git("init", "-q");
  git("config", "user.email", "ada@example.org");
  git("config", "user.name", "Ada");
  git("add", ".");
  git("commit", "-q", "-m", "begin");
}

const write = (content: string) => ({
  toolCalls: [{ name: "write", args: { path: "a.txt", content, overwrite: true } }],
});
const read = { toolCalls: [{ name: "read", args: { path: "a.txt" } }] };
const changed = [...LINES.slice(0, 1), "second", ...LINES.slice(2, 28), "last but one", LINES[29]];
const CHANGED = `${changed.join("\n")}\n`;

async function work(): Promise<void> {
  harness = await startHarness({
    prepare: project,
    settings: agentSettings.parse({ sandbox: false, permission: { mode: "auto" } }),
    answers: [read, write(CHANGED), { text: "Done." }],
  });
  await harness.host.create({ threadId: "c", inCopy: true });
  await harness.say("change it", "c");
}

const textOf = () => readFileSync(join(harness.projectRoot, "a.txt"), "utf8");
const infoOf = () => harness.host.list().find(({ threadId }) => threadId === "c");
const copies = () => {
  const folder = `${harness.dataDir}-copies`;
  return existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
};

describe("a thread in a copy", () => {
  it("leaves the project alone, says where it works, and shows every piece that it changed", async () => {
    await work();
    expect(textOf()).toBe(`${LINES.join("\n")}\n`);
    expect(infoOf()).toMatchObject({ title: "change it", copy: { name: /^thread-/ } });
    const { changes, canCommit } = await harness.host.copyChanges("c");
    expect(canCommit).toBe(true);
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual(["changed a.txt"]);
    expect(changes[0]?.pieces).toHaveLength(2);
    expect(changes[0]?.pieces[0]).toContain("+second");
    expect(changes[0]?.pieces[0]).not.toContain("last but one");
  });

  it("is taken over without the piece that is left out; the rest stays to be decided", async () => {
    await work();
    await harness.host.mergeCopy("c", { leave: ["a.txt:2"] });
    expect(textOf()).toContain("second");
    expect(textOf()).not.toContain("last but one");
    expect((await harness.host.copyChanges("c")).changes).toHaveLength(1);
    await expect(harness.host.delete("c")).rejects.toMatchObject({ code: "conflict" });
    await harness.host.mergeCopy("c");
    expect(textOf()).toBe(CHANGED);
    expect((await harness.host.copyChanges("c")).changes).toEqual([]);
    await harness.host.delete("c");
    expect(copies().filter((name) => String(name).includes("thread-"))).toEqual([]);
  });

  it("is taken over as a commit", async () => {
    await work();
    await harness.host.mergeCopy("c", { commit: "Say second" });
    const log = execFileSync("git", ["-C", harness.projectRoot, "log", "-1", "--format=%s"]);
    expect(String(log).trim()).toBe("Say second");
    const status = execFileSync("git", ["-C", harness.projectRoot, "status", "--porcelain"]);
    expect(String(status)).toBe("");
  });

  it("tells what both sides changed, and writes nothing then", async () => {
    await work();
    writeFileSync(join(harness.projectRoot, "a.txt"), "all new\n");
    const { changes } = await harness.host.copyChanges("c");
    expect(changes[0]?.conflict).toContain("changed in both");
    await expect(harness.host.mergeCopy("c")).rejects.toMatchObject({ code: "conflict" });
    expect(textOf()).toBe("all new\n");
  });

  it("leaves nothing when it is thrown away", async () => {
    await work();
    const before = harness.events.length;
    await harness.host.discardCopy("c");
    expect(harness.events.slice(before).at(-1)).toMatchObject({ type: "thread.deleted" });
    expect(infoOf()).toBeUndefined();
    expect(copies().filter((name) => String(name).includes("thread-"))).toEqual([]);
    expect(textOf()).toBe(`${LINES.join("\n")}\n`);
  });

  it("is there again after a restart, and goes on where it was", async () => {
    await work();
    harness = await harness.restart();
    expect(infoOf()).toMatchObject({ title: "change it", copy: {} });
    expect(harness.host.replay("c", 0)).toBeUndefined();
    const history = await harness.host.history?.("c");
    expect(history?.at(-1)).toMatchObject({ role: "assistant", text: "Done." });
    harness.model.script({ text: "Again." });
    await harness.say("and now?", "c");
    expect((await harness.host.copyChanges("c")).changes).toHaveLength(1);
  });

  it("asks the same people as the others", async () => {
    harness = await startHarness({
      prepare: project,
      settings: agentSettings.parse({ sandbox: false, permission: { mode: "ask" } }),
      answers: [{ toolCalls: [{ name: "shell", args: { command: "touch b" } }] }, { text: "ok" }],
    });
    const asked: string[] = [];
    const leave = harness.host.permission.attach((notice) => {
      if (notice.type !== "permission.ask") return;
      const { threadId, questionId, title } = notice.question;
      asked.push(`${threadId} ${title}`);
      harness.host.permission.answer(threadId, questionId, { decision: "once" });
    });
    await harness.host.create({ threadId: "c", inCopy: true });
    await harness.say("touch it", "c");
    leave();
    expect(asked).toEqual(["c touch b"]);
    expect(existsSync(join(harness.projectRoot, "b"))).toBe(false);
    expect((await harness.host.copyChanges("c")).changes.map(({ path }) => path)).toEqual(["b"]);
  });

  it("has no copy to speak of where it works in the project itself", async () => {
    harness = await startHarness();
    await expect(harness.host.copyChanges("t")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(harness.host.discardCopy("t")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(harness.host.mergeCopy("x")).rejects.toMatchObject({ code: "not_found" });
  });
});
