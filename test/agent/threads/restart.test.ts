import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readFileState } from "../../../src/agent/checkpoints/file-copy.ts";
import { createWorktree } from "../../../src/agent/worktrees/worktree.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { buildProgram } from "../../support/built-cli.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

async function transcriptOf(threadId: string): Promise<string> {
  const threads = join(harness.dataDir, "threads");
  const [folder = ""] = await readdir(threads);
  return join(threads, folder, `${threadId}.jsonl`);
}

describe("after a restart", () => {
  it("an interrupted merge and an interrupted undo of files are finished", async () => {
    harness = await startHarness();
    await harness.say("first");
    const { projectRoot, dataDir } = harness;
    const at = (name: string) => join(projectRoot, name);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...args], {
        cwd: projectRoot,
      });
    await writeFile(at("a"), "old\n");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
    const request = { project: projectRoot, dataDir, name: "try", clock: systemClock };
    const { folder } = await createWorktree(request);
    await writeFile(at(".a.tmp"), "merged\n");
    const steps = [{ path: "a", temporary: at(".a.tmp") }];
    const merge = { top: projectRoot, stage: "commit", steps };
    await writeFile(join(folder, "merge.json"), JSON.stringify(merge));
    await writeFile(at("made"), "by the agent\n");
    const after = readFileState(at("made"));
    const change = { path: at("made"), before: null, after };
    const undo = { token: "0", text: "make", changes: [change], folders: [] };
    const [project = ""] = await readdir(join(dataDir, "checkpoints"));
    await writeFile(join(dataDir, "checkpoints", project, "restore.json"), JSON.stringify(undo));
    harness = await harness.restart();
    expect(await readFile(at("a"), "utf8")).toBe("merged\n");
    expect((await readdir(projectRoot)).filter((name) => !/^\.(git|cairn)/.test(name))).toEqual([
      "a",
    ]);
    await harness.say("hello");
    expect(JSON.stringify(harness.events)).toContain('/undo or /redo of \\"make\\" was finished');
  });

  it("restores list entry, history and event numbers of a thread", async () => {
    harness = await startHarness({ answers: [{ text: "one" }] });
    await harness.host.create({ threadId: "other", systemPromptPrefix: " You are Bob. " });
    await harness.say("first words\nof many");
    const before = harness.host.list();
    const lastSeq = harness.events.filter((event) => event.threadId === "t").at(-1)?.seq ?? 0;
    harness = await harness.restart();
    expect(harness.host.list()).toEqual(before);
    expect(harness.host.list().find(({ threadId }) => threadId === "t")).toMatchObject({
      messageCount: 2,
      isRunning: false,
      title: "first words",
    });
    expect(harness.host.replay("t", lastSeq)).toEqual([]);
    expect(harness.host.replay("t", lastSeq - 1)).toBeUndefined();
    await harness.say("second");
    expect(harness.events[0]?.seq).toBe(lastSeq + 1);
    const said = harness.model.requests[1]?.body.messages.map(({ content }) => content).slice(1);
    expect(said).toEqual(["first words\nof many", "one", "second"]);
    await harness.say("hi", "other");
    const system = harness.model.requests[2]?.body.messages[0]?.content;
    expect(String(system).startsWith("You are Bob.\n")).toBe(true);
    expect(await harness.host.history?.("t")).toEqual([
      { role: "user", text: "first words\nof many" },
      { role: "assistant", text: "one" },
      { role: "user", text: "second" },
      { role: "assistant", text: "ok" },
    ]);
  });

  it("keeps a message whose run was killed at its start", async () => {
    harness = await startHarness();
    await harness.say("first");
    const path = await transcriptOf("t");
    let killed = "";
    harness.host.subscribe((event) => {
      if (event.type === "status" && event.phase === "running") killed = readFileSync(path, "utf8");
    });
    await harness.say("second");
    await harness.host.close();
    await writeFile(path, killed);
    await truncate(path.replace(/jsonl$/, "json"), 0);
    for (const text of ["third", "fourth"]) {
      harness = await harness.restart();
      await harness.say(text);
      const said = harness.model.requests.at(-1)?.body.messages.map(({ content }) => content);
      expect(said?.slice(1, 4)).toEqual(["first", "ok", "second"]);
    }
  });

  it("skips a truncated last line and a damaged one", async () => {
    harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }] });
    await harness.say("first");
    const path = await transcriptOf("t");
    await harness.host.close();
    await appendFile(path, '{"broken": \n{"type":"message","at":"x","mess');
    harness = await harness.restart();
    await harness.say("second");
    const said = harness.model.requests[1]?.body.messages.map(({ content }) => content).slice(1);
    expect(said).toEqual(["first", "one", "second"]);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.at(-1)).toContain('"completed"');
    expect(lines.filter((line) => line.includes('"mess')).every((line) => JSON.parse(line))).toBe(
      true,
    );
  });

  it("rebuilds a missing or empty state file from the transcript", async () => {
    harness = await startHarness();
    await harness.say("first");
    const path = await transcriptOf("t");
    await harness.host.close();
    await truncate(path.replace(/jsonl$/, "json"), 0);
    harness = await harness.restart();
    expect(harness.host.list()).toMatchObject([{ threadId: "t", messageCount: 2, title: "first" }]);
  });

  it("ignores files that are no threads", async () => {
    harness = await startHarness();
    const path = await transcriptOf("t");
    await harness.host.close();
    await writeFile(path.replace("t.jsonl", "no thread.jsonl"), "nonsense\n");
    await writeFile(path.replace("t.jsonl", "empty.jsonl"), "");
    harness = await harness.restart();
    expect(harness.host.list().map(({ threadId }) => threadId)).toEqual(["t"]);
  });

  it("restores a cleared or handed-over thread from there on", async () => {
    harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }] });
    await harness.say("first");
    await harness.host.send("t", "/clear");
    await harness.waitForPhase("success");
    await harness.say("second");
    harness = await harness.restart();
    expect(harness.host.find("t").messageCount).toBe(2);
  });
});

describe("kill -9 in the middle of a run", () => {
  it("leaves the thread with a valid history, a note for the model, and an aborted run", async () => {
    const command = createSleepCommand();
    harness = await startHarness({
      answers: [{ text: "starting", toolCalls: [{ id: "c1", name: "shell", args: { command } }] }],
    });
    const { memory: _memory, environment: _environment, ...plain } = harness.options;
    const script = await buildProgram("run-one-message");
    const child = spawn(process.execPath, [script, JSON.stringify(plain), "do it"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await waitUntil(() => output.includes('"tool.call"'));
    await waitUntil(() => liveCommands(command).length > 0);
    const seen = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { seq: number });
    const lastSeq = seen.at(-1)?.seq ?? 0;
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));

    harness = await harness.restart();
    expect(liveCommands(command)).toEqual([]);
    expect(harness.host.list()).toContainEqual(
      expect.objectContaining({ threadId: "killed", isRunning: false }),
    );
    const missed = harness.host.replay("killed", lastSeq) ?? [];
    expect(outline(missed, "killed")).toEqual(["aborted", "idle"]);
    expect(missed.map(({ seq }) => seq)).toEqual([lastSeq + 1, lastSeq + 2]);

    await harness.say("go on", "killed");
    const messages = harness.model.requests.at(-1)?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
      "user",
    ]);
    expect(messages[3]?.tool_call_id).toBe("c1");
    expect(messages[4]?.content).toContain("in the middle of the previous run");
  });
});

it("a background command of an idle thread ends with the next start after kill -9", async () => {
  const command = createSleepCommand();
  harness = await startHarness({
    answers: [{ toolCalls: [{ name: "shell", args: { command, background: true } }] }],
  });
  const { memory: _memory, environment: _environment, ...plain } = harness.options;
  const script = await buildProgram("run-one-message");
  const child = spawn(process.execPath, [script, JSON.stringify(plain), "do it"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await waitUntil(() => output.includes('"idle"'));
  await waitUntil(() => liveCommands(command).length > 0);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(liveCommands(command)).not.toEqual([]);
  harness = await harness.restart();
  expect(liveCommands(command)).toEqual([]);
});
