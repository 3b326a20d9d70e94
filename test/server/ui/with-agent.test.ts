import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { startAgentServer } from "./agent-server.ts";

const words = (count: number) => Array.from({ length: count }, (_value, index) => `w${index} `);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_value, index) => from + index);

describe("tasks", () => {
  it("run step by step on request", async () => {
    const { connect, projectRoot } = await startAgentServer(
      { text: "Counted." },
      { text: "<done/>" },
    );
    mkdirSync(join(projectRoot, ".cairn"));
    const tasks = [{ id: "0-1", name: "Count", description: "Count the tries." }];
    writeFileSync(join(projectRoot, ".cairn", "tasks.json"), JSON.stringify(tasks));
    const client = await connect();
    client.send("thread.create", { threadId: "a" });
    client.send("message.user", { threadId: "a", text: "/tasks run" });
    expect((await client.waitForType("error")).payload.code).toBe("terminal_only");
    client.send("task.run", { threadId: "a" });
    const progress = await client.waitFor(({ payload }) => payload.progress !== undefined);
    expect(progress.payload.progress).toEqual([{ id: "0-1", label: "Count", state: "running" }]);
    client.send("run.cancel", { threadId: "a" });
  });
});

describe("a run", () => {
  it("is sent equally to two clients, from running to idle", async () => {
    const { connect } = await startAgentServer({ text: words(20) });
    const clients = [await connect(), await connect()] as const;
    clients[0].send("thread.create", { threadId: "a" });
    clients[0].send("message.user", { threadId: "a", text: "hello" });
    for (const client of clients) {
      await client.waitForPhase("a", "idle");
      const events = client.received.filter(({ payload }) => payload.seq !== undefined);
      const kinds = events.map(({ type, payload }) => payload.phase ?? type);
      const story = ["thread.created", "running", "assistant.delta", "assistant.done", "idle"];
      expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual(story);
      const done = await client.waitForType("assistant.done");
      expect(done.payload.text).toBe(words(20).join(""));
      expect(new Set(events.slice(1).map(({ payload }) => payload.runId)).size).toBe(1);
    }
    expect(clients[0].received.slice(1)).toEqual(clients[1].received.slice(1));
  });

  it("asks with choices and continues with any client's answer", async () => {
    const args = { question: "Which store?", choices: ["Postgres", "SQLite"] };
    const { connect, model } = await startAgentServer(
      { toolCalls: [{ name: "ask_user", args }] },
      { text: "Then SQLite." },
    );
    const [first, second] = [await connect(), await connect()];
    first.send("thread.create", { threadId: "a" });
    first.send("message.user", { threadId: "a", text: "store it" });
    const prompt = await second.waitForPhase("a", "prompt");
    expect(prompt.payload).toMatchObject({
      choices: [
        { key: "1", label: "Postgres" },
        { key: "2", label: "SQLite" },
      ],
    });
    second.send("message.user", { threadId: "a", text: "2" });
    const done = await first.waitFor(({ payload }) => payload.text === "Then SQLite.");
    expect(done.payload.threadId).toBe("a");
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain("SQLite");
  });

  it("cancelled by another client ends aborted, idle, and the thread stays usable", async () => {
    const { connect, model } = await startAgentServer(
      { text: ["Hm"], hang: "afterText" },
      { text: "hi" },
    );
    const [first, second] = [await connect(), await connect()];
    first.send("thread.create", { threadId: "a" });
    first.send("message.user", { threadId: "a", text: "think" });
    await second.waitForType("assistant.delta");
    second.send("run.cancel", { threadId: "a" });
    await first.waitForPhase("a", "idle");
    const phases = first.received.flatMap(({ payload }) => payload.phase ?? []);
    expect(phases).toEqual(["running", "aborted", "idle"]);
    await expect.poll(() => model.requests[0]?.aborted).toBe(true);
    const from = first.received.length;
    first.send("message.user", { threadId: "a", text: "again" });
    expect((await first.waitForType("assistant.done", { from })).payload.text).toBe("hi");
  });

  it("reads queued messages after edits, moves and removals", async () => {
    const { connect, model } = await startAgentServer(
      { text: ["Hm"], hang: "afterText" },
      { text: "hi" },
    );
    const [first, second] = [await connect(), await connect()];
    first.send("thread.create", { threadId: "a" });
    first.send("message.user", { threadId: "a", text: "begin" });
    await second.waitForType("assistant.delta");
    for (const text of ["one", "two", "three"]) first.send("message.user", { threadId: "a", text });
    await second.waitFor(
      ({ payload }) => payload.phase === "queued" && payload.message === "three",
    );
    const ask = async (type: string, payload: object = {}) => {
      const from = second.received.length;
      second.send(type, { threadId: "a", ...payload });
      return (await second.waitForType("queue.list", { from })).payload.messages;
    };
    const texts = (messages: { text: string }[]) => messages.map(({ text }) => text);
    const [one] = await ask("queue.list");
    const [, , three] = await ask("queue.change", { id: one.id, text: "one, please" });
    const moved = await ask("queue.change", { id: three.id, place: 0 });
    expect(texts(moved)).toEqual(["three", "one, please", "two"]);
    expect(texts(await ask("queue.remove", { id: moved[2].id }))).toEqual(["three", "one, please"]);
    await first.waitFor(({ payload }) => payload.message === "1 queued message was withdrawn.");
    const from = second.received.length;
    second.send("queue.change", { threadId: "a", id: moved[2].id, text: "too late" });
    expect((await second.waitForType("error", { from })).payload.code).toBe("not_found");
    second.send("queue.change", { threadId: "a", id: moved[0].id, text: "  " });
    await second.waitFor(({ payload }) => payload.code === "invalid_input");
    first.send("run.cancel", { threadId: "a" });
    await first.waitFor(({ type, payload }) => type === "assistant.done" && payload.text === "hi");
    const reply = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(reply).toContain("three");
    await expect
      .poll(() => JSON.stringify(model.requests.at(-1)?.body.messages))
      .toContain("one, please");
    expect(reply).not.toContain('"two"');
  });

  it("loses nothing for a reconnecting client", async () => {
    const { connect, host } = await startAgentServer({ text: words(150), chunkDelayMs: 10 });
    const first = await connect();
    first.send("thread.create", { threadId: "a" });
    first.send("message.user", { threadId: "a", text: "talk" });
    await first.waitFor(({ payload }) => payload.seq >= 30);
    const seen = first.seqs("a").at(-1) ?? 0;
    first.socket.terminate();
    await waitUntil(() => (host.replay("a", seen)?.length ?? 0) > 5);
    const second = await connect();
    second.send("thread.list");
    second.send("thread.subscribe", { threadId: "a", sinceSeq: seen });
    const list = await second.waitForType("thread.list");
    expect(list.payload.threads[0].isRunning).toBe(true);
    await second.waitForPhase("a", "idle");
    const last = second.seqs("a").at(-1) ?? 0;
    expect(second.seqs("a")).toEqual(range(seen + 1, last));
    expect(host.replay("a", last)).toEqual([]);
    const texts = [...first.received, ...second.received]
      .filter(({ type, payload }) => type === "assistant.delta" && payload.seq !== undefined)
      .sort((a, b) => a.payload.seq - b.payload.seq)
      .map(({ payload }) => payload.text);
    expect(texts.join("")).toBe(words(150).join(""));
  });

  it("continues at full speed next to a stalled client", async () => {
    const { connect } = await startAgentServer({ text: words(500) });
    const [stuck, reading] = [await connect(), await connect()];
    await stuck.waitForType("session.ready");
    stuck.socket.pause();
    reading.send("thread.create", { threadId: "a" });
    reading.send("message.user", { threadId: "a", text: "talk" });
    const done = await reading.waitForType("assistant.done");
    expect(done.payload.text).toBe(words(500).join(""));
  });
});

it("twenty threads run concurrently and separately", async () => {
  const { connect, model } = await startAgentServer();
  model.respond(async ({ body }) => {
    const question = String(body.messages.at(-1)?.content ?? "").match(/t\d+/)?.[0];
    await model.waitForRequests(20, 60_000);
    return { text: [`I am `, `${question}`] };
  });
  const client = await connect();
  const ids = Array.from({ length: 20 }, (_value, index) => `t${index}`);
  for (const threadId of ids) {
    client.send("thread.create", { threadId });
    client.send("message.user", { threadId, text: `You are ${threadId}` });
  }
  for (const threadId of ids) await client.waitForPhase(threadId, "idle");
  for (const threadId of ids) {
    const done = await client.waitFor(
      ({ type, payload }) => type === "assistant.done" && payload.threadId === threadId,
    );
    expect(done.payload.text).toBe(`I am ${threadId}`);
    expect(client.seqs(threadId)).toEqual(range(1, client.seqs(threadId).length));
  }
});

it("a pending request is sent to clients that connect later", async () => {
  const draft = JSON.stringify({
    name: "Sort the list",
    description: "d",
    relatedFiles: [],
    acceptanceCriteria: ["sorted"],
  });
  const { connect } = await startAgentServer({ text: draft });
  const first = await connect();
  first.send("thread.create", { threadId: "a" });
  first.send("message.user", { threadId: "a", text: "/tasks add sort the list" });
  await first.waitForPhase("a", "prompt");
  first.socket.terminate();
  const second = await connect();
  second.send("thread.list");
  const { payload } = await second.waitForType("thread.list");
  expect(payload.threads[0]).toMatchObject({ threadId: "a", isRunning: false });
  expect(payload.threads[0].pendingPrompt).toMatch(/\[y\]es/);
  second.send("message.user", { threadId: "a", text: "y" });
  await second.waitForPhase("a", "success");
  second.send("thread.list");
  const after = await second.waitForType("thread.list", { from: second.received.length });
  expect(after.payload.threads[0].pendingPrompt).toBeUndefined();
});

it.each(["/tasks run", "/plans run 1"])("%s is an error without a run", async (text) => {
  const { connect, model } = await startAgentServer();
  const client = await connect();
  client.send("thread.create", { threadId: "a" });
  client.send("message.user", { threadId: "a", text });
  const { payload } = await client.waitForType("error");
  expect(payload).toMatchObject({ threadId: "a", message: expect.stringMatching(/terminal/i) });
  await client.settle();
  expect(client.received.some(({ payload: { phase } }) => phase === "running")).toBe(false);
  expect(model.requests).toEqual([]);
});
