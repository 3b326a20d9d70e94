import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPlans } from "../../../src/agent/tasks/plan-store.ts";
import { readTasks } from "../../../src/agent/tasks/task-store.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { listUserTexts, startConversation, systemOf, toolsOf } from "../support/conversation.ts";
import { createTestProject } from "../support/project.ts";

const TASK = '{"name": "Fix it", "description": "d", "acceptanceCriteria": ["it runs"]}';
const PLAN = "---\nname: Cache\ndescription: Faster reads\n---\nRead once.";
const PROMPT = "[y]es to save, [n]o to revise, [a]bandon";

describe("a flow on a real thread", () => {
  it("/tasks add runs, goes idle, prompts, and restores the earlier conversation", async () => {
    const project = await createTestProject();
    const talk = await startConversation({
      project,
      answers: [{ text: "hello" }, { text: TASK }, { text: TASK }, { text: "still here" }],
    });
    await talk.send("remember the word apple");
    await talk.status("idle");
    await talk.send("/tasks add fix it");
    await talk.status("running");
    await talk.status("idle");
    expect(await talk.status("info")).toMatchObject({ message: expect.stringMatching(/^Fix it/) });
    expect(await talk.status("prompt")).toMatchObject({ message: PROMPT });
    expect(talk.isRunning()).toBe(false);
    await talk.send("no, shorter");
    await talk.status("running");
    await talk.status("prompt");
    await talk.send("y");
    await talk.status("success");
    await talk.send("and?");
    await talk.status("running");
    await talk.status("idle");
    expect(listUserTexts(talk.model.requests[1])).toEqual(["fix it"]);
    expect(listUserTexts(talk.model.requests[2])).toEqual(["fix it", "no, shorter"]);
    expect(listUserTexts(talk.model.requests[3])).toEqual(["remember the word apple", "and?"]);
    expect(toolsOf(talk.model.requests[1])).not.toContain("write");
    expect(toolsOf(talk.model.requests[3])).toContain("write");
    expect(await readTasks(project.projectRoot)).toMatchObject([{ id: "0-1", name: "Fix it" }]);
  });

  it("a draft that cannot be read and a failing model leave a usable thread", async () => {
    const project = await createTestProject();
    const answers = [{ text: "no" }, { status: 401 }, { text: "fine" }];
    const talk = await startConversation({ project, answers });
    await talk.send("/tasks add x");
    expect(await talk.error()).toMatchObject({
      message: expect.stringMatching(/draft of the task/),
    });
    await talk.send("/tasks add x");
    await talk.error();
    await talk.status("idle");
    await talk.send("hi");
    await talk.next((event) => event.type === "assistant.done" && event.text === "fine");
  });

  it("a cancel at a prompt leaves the flow with aborted and idle", async () => {
    const project = await createTestProject();
    const talk = await startConversation({ project, answers: [{ text: TASK }, { text: "fine" }] });
    await talk.send("/tasks add x");
    await talk.status("prompt");
    await talk.cancel();
    await talk.status("aborted");
    await talk.status("idle");
    await talk.send("y");
    await talk.next((event) => event.type === "assistant.done" && event.text === "fine");
    expect(listUserTexts(talk.model.requests[1])).toEqual(["y"]);
    expect(await readTasks(project.projectRoot)).toEqual([]);
  });

  it("/plan prompts through ask_user and saves; its tools are read-only", async () => {
    const project = await createTestProject();
    const ask = { toolCalls: [{ name: "ask_user", args: { question: "Which store?" } }] };
    const talk = await startConversation({ project, answers: [ask, { text: PLAN }] });
    await talk.send("/plan a cache");
    expect(await talk.status("prompt")).toMatchObject({ message: "Which store?" });
    await talk.send("sqlite");
    await talk.status("prompt");
    await talk.send("yes");
    await talk.status("success");
    const [, second] = talk.model.requests;
    expect(JSON.stringify(second?.body.messages.at(-1))).toContain("sqlite");
    expect(toolsOf(second)).toContain("ask_user");
    expect(toolsOf(second)).not.toContain("shell");
    expect(await readPlans(project.projectRoot)).toMatchObject([{ id: 1, name: "Cache" }]);
  });

  it("/plan exit leaves at a question of the model, and while the model works", async () => {
    const project = await createTestProject();
    const ask = { toolCalls: [{ name: "ask_user", args: { question: "Which?" } }] };
    const talk = await startConversation({
      project,
      answers: [ask, { hang: true }, { text: "ok" }],
    });
    await talk.send("/plan a cache");
    await talk.status("prompt");
    await talk.send("/plan exit");
    expect(await talk.status("info")).toMatchObject({
      message: "Left the plan: nothing was saved.",
    });
    await talk.send("/plan another");
    await talk.model.waitForRequests(2);
    await talk.send("/plan exit");
    await talk.status("aborted");
    await talk.status("idle");
    await talk.send("hi");
    await talk.next((event) => event.type === "assistant.done" && event.text === "ok");
  });

  it("/plans split works under the composed prompt, then the thread is empty with its role", async () => {
    const project = await createTestProject();
    const talk = await startConversation({
      project,
      systemPromptPrefix: "You are a poet.",
      answers: [{ text: PLAN }, { text: "hm" }, { text: "- [ ] A: x\n- [ ] B" }, { text: "ok" }],
    });
    await talk.send("/plan a cache");
    await talk.status("prompt");
    await talk.send("y");
    await talk.status("success");
    await talk.send("chat");
    await talk.status("idle");
    await talk.send("/plans split 1");
    await talk.status("prompt");
    await talk.send("y");
    await talk.status("success");
    await talk.send("who are you?");
    await talk.next((event) => event.type === "assistant.done" && event.text === "ok");
    const [, , split, after] = talk.model.requests;
    expect(systemOf(split)).toMatch(/^You are a poet\.[\s\S]*# Now: split a plan/);
    expect(systemOf(after)).toMatch(/^You are a poet\./);
    expect(systemOf(after)).not.toContain("# Now:");
    expect(listUserTexts(after)).toEqual(["who are you?"]);
    expect((await readTasks(project.projectRoot)).map((task) => task.id)).toEqual(["1-1", "1-2"]);
  });

  it("does not expand a mention inside quoted content", async () => {
    const project = await createTestProject();
    await project.write("secret.txt", "SECRET");
    const plan = PLAN.replace("Read once.", "See @secret.txt now.");
    const talk = await startConversation({ project, answers: [{ text: plan }, { text: "- A" }] });
    await talk.send("/plan x");
    await talk.status("prompt");
    await talk.send("y");
    await talk.status("success");
    await talk.send("/plans split 1");
    await talk.status("prompt");
    expect(JSON.stringify(talk.model.requests[1]?.body)).toContain("@secret.txt");
    expect(JSON.stringify(talk.model.requests[1]?.body)).not.toContain("SECRET");
  });

  it("rejects /tasks run on a server without a request", async () => {
    const project = await createTestProject();
    const talk = await startConversation({ project });
    await talk.send("/tasks run");
    expect(await talk.error()).toMatchObject({ message: expect.stringMatching(/terminal-only/) });
    await talk.send("/plans run 1");
    expect(await talk.error()).toMatchObject({ message: expect.stringMatching(/terminal-only/) });
    await waitFixedTime(50, "no event may follow");
    expect(talk.model.requests).toHaveLength(0);
    expect(talk.events.some((event) => event.type === "status" && event.phase === "running")).toBe(
      false,
    );
  });
});

describe("/plans run in the terminal", () => {
  it("edits files, passes the hooks and marks the tasks, each on a fresh history", async () => {
    const project = await createTestProject();
    const write = (path: string) => ({
      toolCalls: [{ name: "write", args: { path, content: "x\n" } }],
    });
    const talk = await startConversation({
      project,
      surface: "terminal",
      settings: {
        permission: { mode: "edits" },
        hooks: { taskDone: [{ maxAttempts: 2, steps: [{ shell: "test -f a.txt" }] }] },
      },
      answers: [
        { text: PLAN },
        { text: "- [ ] A: make a.txt\n- [ ] B: make b.txt" },
        { text: "I think it is done." },
        write("a.txt"),
        { text: "Now it is." },
        write("b.txt"),
        { text: "Done." },
      ],
    });
    for (const text of ["/plan x", "/plans split 1"]) {
      await talk.send(text);
      await talk.status("prompt");
      await talk.send("y");
      await talk.status("success");
    }
    await talk.send("/plans run 1");
    await talk.next(
      (event) => event.type === "status" && event.message === "Plan 1 is done: Cache",
    );
    expect((await readTasks(project.projectRoot)).map((task) => task.status)).toEqual([
      "done",
      "done",
    ]);
    await access(join(project.projectRoot, "b.txt"));
    const [, , , repair, , second] = talk.model.requests;
    expect(listUserTexts(repair).at(-1)).toContain('taskDone hook "test -f a.txt" failed');
    expect(listUserTexts(second)).toEqual(["Task 1-2: B\nmake b.txt"]);
    expect(systemOf(second)).toContain("Read once.");
  });

  it("keeps the task in progress and ends its hook when cancelled", async () => {
    const project = await createTestProject();
    await project.write(".cairn/tasks.json", JSON.stringify([{ id: "0-1", name: "A" }]));
    const shell = "sleep 60 & echo $! > pid; wait";
    const talk = await startConversation({
      project,
      surface: "terminal",
      settings: { hooks: { taskDone: [{ steps: [{ shell }] }] } },
      answers: [{ text: "done" }],
    });
    await talk.send("/tasks run");
    const pid = await readPid(join(project.projectRoot, "pid"));
    await talk.cancel();
    await talk.status("aborted");
    await talk.status("idle");
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone");
    expect(state).toMatch(/^gone$|\) Z /);
    expect(await readTasks(project.projectRoot)).toMatchObject([{ status: "in-progress" }]);
  });
});

async function readPid(path: string): Promise<number> {
  let text = "";
  const isThere = async () => {
    text = await readFile(path, "utf8").catch(() => "");
    return text.endsWith("\n");
  };
  await waitUntil(isThere, { describeState: () => "the hook did not start" });
  return Number(text);
}
