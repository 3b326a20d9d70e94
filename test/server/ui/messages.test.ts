import { describe, expect, it } from "vitest";
import { serverMessages } from "../../../src/server/ui/index.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { queueFull } from "./fake-thread-host.ts";
import { openUiServer } from "./ui-server.ts";

describe("a session", () => {
  it("starts with session.ready, and again on session.start with any version", async () => {
    const { connect } = await openUiServer();
    const client = await connect();
    const ready = await client.waitForType("session.ready");
    expect(ready.payload).toEqual({
      protocolVersion: 2,
      model: "m",
      provider: "p",
      cwd: "/project",
      sandbox: "off (no bwrap)",
      permissionMode: "auto",
    });
    for (const payload of [undefined, null, {}, { protocolVersion: 1 }, { protocolVersion: "x" }]) {
      const from = client.received.length;
      client.send("session.start", payload);
      expect((await client.waitForType("session.ready", { from })).payload.protocolVersion).toBe(2);
    }
  });

  it("ends with session.stop after earlier messages", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    client.send("thread.create", { threadId: "a" });
    client.send("message.user", { threadId: "a", text: "hi" });
    client.send("session.stop");
    expect(await client.closed).toBe(1000);
    expect(host.calls).toContainEqual(["send", "a", "hi"]);
  });
});

describe("tasks", () => {
  it("are listed on request and run by a separate message", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    client.send("task.list");
    expect((await client.waitForType("task.list")).payload).toMatchObject({
      plans: [{ id: 1, name: "Retries" }],
      tasks: [{ id: "1-1", plan: 1, status: "done" }],
    });
    client.send("thread.create", { threadId: "a" });
    client.send("task.run", { threadId: "a", plan: 1 });
    client.send("task.run", { threadId: "a", id: "0-2" });
    const wishes = () =>
      host.calls.filter(([name]) => name === "runTasks").map(([, , wish]) => wish);
    await expect.poll(wishes).toEqual([{ plan: 1 }, { id: "0-2" }]);
    client.send("task.run", { threadId: "a", id: "rm -r" });
    expect((await client.waitForType("error")).payload.message).toContain("id of a task");
  });
});

describe("a message", () => {
  it("may contain images, with or without text", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    client.send("thread.create", { threadId: "a" });
    const attachments = [{ data: "iVBORw0KGgo=" }];
    client.send("message.user", { threadId: "a", text: "look", attachments });
    client.send("message.user", { threadId: "a", text: " ", attachments });
    const mention = "@image:0000000000000000.png";
    await expect.poll(() => host.calls).toContainEqual(["send", "a", `look\n\n${mention}`]);
    await expect.poll(() => host.calls).toContainEqual(["send", "a", mention]);
    client.send("message.user", { threadId: "a", text: "x", attachments: [{ data: "?" }] });
    expect((await client.waitForType("error")).payload.message).toContain("must be base64");
  });
});

describe("threads", () => {
  it("are created with a given or generated id and announced to all", async () => {
    const { connect, host } = await openUiServer();
    const [first, second] = [await connect(), await connect()];
    first.send("thread.create", { threadId: "a", systemPromptPrefix: "You are a pirate." });
    first.send("thread.create");
    first.send("thread.create", { threadId: null });
    for (const client of [first, second]) {
      await client.waitFor(({ payload }) => payload.threadId === "a");
      await client.waitFor(({ payload }) => payload.threadId?.startsWith("generated"));
    }
    expect(host.calls).toContainEqual([
      "create",
      { threadId: "a", systemPromptPrefix: "You are a pirate." },
    ]);
  });

  it("that already exist are announced but not duplicated", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    client.send("thread.create", { threadId: "a" });
    client.send("thread.create", { threadId: "a" });
    await client.waitFor(({ type, payload }) => type === "thread.created" && payload.seq === 2);
    expect(host.list()).toHaveLength(1);
    expect(client.received.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("are listed after the client's earlier messages", async () => {
    const { connect, host } = await openUiServer();
    const [asking, other] = [await connect(), await connect()];
    await host.create({ threadId: "waiting" });
    host.setInfo("waiting", { pendingPrompt: "Save it?", queued: 2, isRunning: true });
    asking.send("thread.create", { threadId: "b" });
    asking.send("thread.list");
    const { payload } = await asking.waitForType("thread.list");
    expect(payload.threads).toMatchObject([
      {
        threadId: "waiting",
        pendingPrompt: "Save it?",
        queued: 2,
        isRunning: true,
        messageCount: 0,
      },
      { threadId: "b", createdAt: expect.stringMatching(/Z$/) },
    ]);
    await other.settle();
    expect(other.received.some(({ type }) => type === "thread.list")).toBe(false);
  });

  it("are deleted for all clients; unknown ones are an error", async () => {
    const { connect } = await openUiServer();
    const [first, second] = [await connect(), await connect()];
    first.send("thread.create", { threadId: "a" });
    first.send("thread.delete", { threadId: "a" });
    await first.waitForType("thread.deleted");
    await second.waitForType("thread.deleted");
    first.send("thread.delete", { threadId: "a" });
    const { payload } = await first.waitForType("error");
    expect(payload).toEqual({ threadId: "a", message: expect.any(String), code: "not_found" });
    await second.settle();
    expect(second.received.some(({ type }) => type === "error")).toBe(false);
  });

  it("have a history for new views", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    const client = await connect();
    client.send("thread.history", { threadId: "a", limit: 7 });
    const { payload } = await client.waitForType("thread.history");
    expect(payload).toEqual({ threadId: "a", entries: [{ role: "user", text: "last 7" }] });
  });
});

describe("messages", () => {
  it("can be undone, and undoable ones are listed", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    client.send("thread.create", { threadId: "a" });
    client.send("turn.undo", { threadId: "a", turnId: "turn_1", scope: "files" });
    client.send("turn.undo", { threadId: "a" });
    client.send("turn.list", { threadId: "a" });
    expect((await client.waitForType("turn.list")).payload.turns).toHaveLength(1);
    expect(host.calls.filter(([name]) => name === "undo")).toEqual([
      ["undo", "a", { turnId: "turn_1", scope: "files" }],
      ["undo", "a", {}],
    ]);
  });

  it("reach their thread in order; blank ones are ignored", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    host.onSend = (_id, text) => waitFixedTime(text === "1" ? 50 : 0, "slow response");
    client.send("thread.create", { threadId: "a" });
    for (const text of ["1", "2", "", " \n\t", "3"])
      client.send("message.user", { threadId: "a", text });
    client.send("run.cancel", { threadId: "a" });
    client.send("thread.list");
    await client.waitForType("thread.list");
    expect(host.calls.filter(([name]) => name === "send" || name === "cancel")).toEqual([
      ["send", "a", "1"],
      ["send", "a", "2"],
      ["send", "a", "3"],
      ["cancel", "a"],
    ]);
    expect(client.received.some(({ type }) => type === "error")).toBe(false);
  });

  it("on one thread do not wait for another thread", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "slow" });
    await host.create({ threadId: "quick" });
    host.onSend = (id) => (id === "slow" ? new Promise(() => undefined) : undefined);
    const client = await connect();
    client.send("message.user", { threadId: "slow", text: "x" });
    client.send("message.user", { threadId: "quick", text: "y" });
    await client.settle();
    expect(host.calls).toContainEqual(["send", "quick", "y"]);
  });

  it("rejected by the thread are an error to the sender only", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    host.onSend = () => {
      throw queueFull;
    };
    const [first, second] = [await connect(), await connect()];
    first.send("message.user", { threadId: "a", text: "x" });
    expect((await first.waitForType("error")).payload).toEqual({
      threadId: "a",
      message: queueFull.message,
      code: "too_large",
    });
    await second.settle();
    expect(second.received.some(({ type }) => type === "error")).toBe(false);
  });

  it("that cause an internal error are logged and do not end the server", async () => {
    const { connect, host, logged } = await openUiServer();
    await host.create({ threadId: "a" });
    host.onSend = () => {
      throw new TypeError("x is undefined");
    };
    const client = await connect();
    client.send("message.user", { threadId: "a", text: "x" });
    const { payload } = await client.waitForType("error");
    expect(payload.code).toBe("internal");
    expect(payload.message).not.toContain("undefined");
    expect(logged.join()).toContain("x is undefined");
    await client.settle();
  });

  it("that meet a full disk are reported as such", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    host.onSend = () => {
      throw Object.assign(new Error("write"), { code: "ENOSPC" });
    };
    const client = await connect();
    client.send("message.user", { threadId: "a", text: "x" });
    const { payload } = await client.waitForType("error");
    expect(payload.code).toBe("storage_full");
    expect(payload.message).toContain("The disk is full");
  });

  it("to a missing thread are an error with its id", async () => {
    const { connect } = await openUiServer();
    const client = await connect();
    for (const [type, extra] of [
      ["message.user", { text: "x" }],
      ["run.cancel", {}],
      ["thread.subscribe", { sinceSeq: 0 }],
      ["thread.history", {}],
    ] as const) {
      const from = client.received.length;
      client.send(type, { threadId: "nobody", ...extra });
      const { payload } = await client.waitForType("error", { from });
      expect(payload).toMatchObject({ threadId: "nobody", code: "not_found" });
    }
  });
});

it("every event of a thread reaches every client as the protocol describes it", async () => {
  const { connect, host } = await openUiServer();
  const clients = [await connect(), await connect()];
  await host.create({ threadId: "a" });
  const label = "[Reviewer]";
  host.emit("a", { type: "status", phase: "running" });
  host.emit("a", { type: "assistant.delta", text: "He", contextLabel: label });
  host.emit("a", {
    type: "assistant.done",
    text: "Hey",
    usage: { inputTokens: 1, outputTokens: 2 },
  });
  host.emit("a", { type: "tool.call", callId: "c", name: "read", args: { path: "x" } });
  host.emit("a", {
    type: "tool.result",
    callId: "c",
    name: "read",
    summary: "ok",
    hasDiff: true,
    diff: "@@",
  });
  host.emit("a", {
    type: "status",
    phase: "prompt",
    message: "Save?",
    choices: [{ key: "y", label: "save" }],
  });
  host.emit("a", { type: "error", message: "no", code: "unavailable" });
  host.emit("a", { type: "status", phase: "idle" });
  for (const client of clients) {
    await client.waitForPhase("a", "idle");
    expect(client.seqs("a")).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { type, payload } of client.received) {
      const schema = serverMessages[type as keyof typeof serverMessages].payload;
      expect(schema.strict().safeParse(payload).error).toBeUndefined();
    }
    const delta = await client.waitForType("assistant.delta");
    expect(delta.payload).toEqual({ threadId: "a", seq: 3, text: "He", contextLabel: label });
  }
});
