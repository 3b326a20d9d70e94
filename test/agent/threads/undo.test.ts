import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedAnswer } from "../../support/scripted-model.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const at = (path: string) => join(harness.projectRoot, path);
const textOf = (path: string) => readFile(at(path), "utf8");
const write = (path: string, content: string): ScriptedAnswer => ({
  toolCalls: [{ name: "write", args: { path, content, overwrite: true } }],
});
const shell = (command: string): ScriptedAnswer => ({
  toolCalls: [{ name: "shell", args: { command } }],
});
const phases = (phase: string) =>
  harness.events.flatMap((event) =>
    event.type === "status" && event.phase === phase ? [event.message ?? ""] : [],
  );
const errors = () =>
  harness.events.flatMap((event) => (event.type === "error" ? [event.message] : []));

async function command(text: string): Promise<void> {
  const before = phases("success").length + errors().length;
  await harness.host.send("t", text);
  await harness.waitFor(() => phases("success").length + errors().length > before);
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
}

async function saidToModel(): Promise<string[]> {
  return (harness.model.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => String(content));
}

describe.each([
  ["with git", true],
  ["without git", false],
])("undo %s", (_name, hasGit) => {
  const begin = async (...answers: ScriptedAnswer[]) => {
    harness = await startHarness({ answers });
    if (hasGit) execFileSync("git", ["init", "-q"], { cwd: harness.projectRoot });
    await writeFile(at("kept.txt"), "kept\n");
    await writeFile(at("old.txt"), "old\n");
    await writeFile(at("run.sh"), "echo\n");
    await chmod(at("run.sh"), 0o755);
    await writeFile(at(".gitignore"), "ignored/\n");
  };

  it("reverts edits, changes by commands, and messages", async () => {
    await begin(
      { text: "hello" },
      write("old.txt", "new\n"),
      shell(
        "echo x > made.txt; mkdir -p a/b; echo y > a/b/c; rm run.sh; echo more >> kept.txt; chmod 700 .gitignore",
      ),
      { text: "done" },
    );
    await harness.say("first");
    await harness.say("change it all");
    expect(existsSync(at("run.sh"))).toBe(false);
    await command("/undo");
    expect(errors()).toEqual([]);
    expect(await textOf("old.txt")).toBe("old\n");
    expect(await textOf("kept.txt")).toBe("kept\n");
    expect((await stat(at("run.sh"))).mode & 0o777).toBe(0o755);
    expect((await stat(at(".gitignore"))).mode & 0o100).toBe(0);
    expect(existsSync(at("made.txt"))).toBe(false);
    expect(existsSync(at("a"))).toBe(false);
    await harness.say("second");
    expect(await saidToModel()).toEqual(["first", "second"]);
  });

  it("restores everything by redo until the next message", async () => {
    await begin(write("old.txt", "new\n"), shell("rm kept.txt"), { text: "done" });
    await harness.say("change");
    await command("/undo");
    await command("/redo");
    expect(await textOf("old.txt")).toBe("new\n");
    expect(existsSync(at("kept.txt"))).toBe(false);
    await command("/undo");
    await harness.say("something else");
    await command("/redo");
    expect(errors()).toEqual([expect.stringContaining("nothing to redo")]);
  });

  it("refuses to overwrite later changes, shows the diff, and changes nothing", async () => {
    await begin(write("old.txt", "new\n"), write("kept.txt", "other\n"), { text: "done" });
    await harness.say("change");
    await writeFile(at("old.txt"), "by hand\n");
    await command("/undo");
    expect(errors()).toEqual([expect.stringContaining("+by hand")]);
    expect(await textOf("kept.txt")).toBe("other\n");
    await harness.say("next");
    expect(await saidToModel()).toEqual(["change", "next"]);
  });

  it("reverts several messages selected from a list", async () => {
    await begin(write("old.txt", "1\n"), { text: "a" }, write("old.txt", "2\n"), { text: "b" });
    await harness.say("one");
    await harness.say("two");
    await harness.host.send("t", "/undo choose");
    await harness.waitForPhase("prompt");
    await harness.host.send("t", "2");
    await harness.waitForPhase("prompt", 2);
    await command("b");
    expect(await textOf("old.txt")).toBe("old\n");
    await command("/redo");
    expect(await textOf("old.txt")).toBe("2\n");
  });

  it("reverts only files and informs the model, or only the conversation", async () => {
    await begin(write("old.txt", "1\n"), { text: "a" }, write("old.txt", "2\n"), { text: "b" });
    await harness.say("one");
    await harness.say("two");
    await command("/undo files");
    expect(await textOf("old.txt")).toBe("1\n");
    await harness.say("three");
    expect((await saidToModel()).join()).toContain("reverted your changes to old.txt");
    await command("/undo conversation");
    expect(await textOf("old.txt")).toBe("1\n");
  });

  it("works after a restart, and after the run was cut off by a cancel", async () => {
    await begin(write("old.txt", "new\n"), { hang: true });
    await harness.host.send("t", "change");
    await harness.waitFor((event) => event.type === "tool.result");
    await harness.model.waitForRequests(2);
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    harness = await harness.restart();
    await command("/undo");
    expect(errors()).toEqual([]);
    expect(await textOf("old.txt")).toBe("old\n");
  });

  it("keeps files changed by others", async () => {
    await begin(shell("echo agent > made.txt"), { text: "done" });
    await mkdir(at("ignored"));
    await harness.say("change");
    await writeFile(at("by-hand.txt"), "mine\n");
    await command("/undo");
    expect(existsSync(at("made.txt"))).toBe(false);
    expect(await textOf("by-hand.txt")).toBe("mine\n");
  });
});

it("rejects undo of a busy thread over the socket", async () => {
  harness = await startHarness({ answers: [{ hang: true }] });
  await harness.host.send("t", "go");
  await harness.model.waitForRequests(1);
  await expect(harness.host.undo("t")).rejects.toMatchObject({ code: "conflict" });
  await harness.host.cancel("t");
  await harness.waitForPhase("idle");
  const [turn] = await harness.host.turns("t");
  expect(turn).toMatchObject({ text: "go", files: 0 });
  await harness.host.undo("t", { turnId: turn?.turnId ?? "" });
  await harness.waitForPhase("success");
});
