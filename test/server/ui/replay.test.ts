import { describe, expect, it } from "vitest";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openUiServer } from "./ui-server.ts";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_value, index) => from + index);

describe("a reconnecting client", () => {
  it("during a run gets every event once and in order", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    await host.create({ threadId: "b" });
    let count = 0;
    const streaming = setInterval(() => {
      host.emit("a", { type: "assistant.delta", text: String(count) });
      host.emit("b", { type: "assistant.delta", text: String(count) });
      count += 1;
    }, 1);
    const first = await connect();
    await first.waitFor(({ payload }) => payload.threadId === "a" && payload.seq >= 20);
    const last = first.seqs("a").at(-1) ?? 0;
    first.socket.terminate();
    await waitUntil(() => (host.threads.get("a")?.events.length ?? 0) > last + 20);

    const second = await connect();
    second.send("session.start");
    second.send("thread.list");
    await second.waitForType("thread.list");
    second.send("thread.subscribe", { threadId: "a", sinceSeq: last });
    second.send("thread.subscribe", { threadId: "b", sinceSeq: 0 });
    const arrived = host.threads.get("a")?.events.length ?? 0;
    await waitUntil(() => (second.seqs("a").at(-1) ?? 0) > arrived + 50);
    clearInterval(streaming);
    await second.settle();
    expect(second.seqs("a")).toEqual(range(last + 1, host.threads.get("a")?.events.length ?? 0));
    expect(second.seqs("b")).toEqual(range(1, host.threads.get("b")?.events.length ?? 0));
  });

  it("also gets live events of other threads in order", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    const client = await connect();
    host.emit("a", { type: "assistant.delta", text: "1" });
    client.send("thread.create", { threadId: "b" });
    await client.waitFor(({ payload }) => payload.threadId === "b");
    host.emit("a", { type: "assistant.delta", text: "2" });
    await client.settle();
    expect(client.seqs("a")).toEqual([2, 3]);
  });

  it("gets the whole thread again on request", async () => {
    const { connect, host } = await openUiServer();
    const client = await connect();
    await host.create({ threadId: "a" });
    host.emit("a", { type: "assistant.delta", text: "1" });
    await client.waitForType("assistant.delta");
    const from = client.received.length;
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 0 });
    await client.settle();
    const again = client.received.slice(from).flatMap(({ payload }) => payload.seq ?? []);
    expect(again).toEqual([1, 2]);
  });

  it("gets events during arrival once", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    const client = await connect();
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 0 });
    await client.settle();
    host.emit("a", { type: "assistant.delta", text: "1" });
    await client.waitForType("assistant.delta");
    await waitFixedTime(250, "no event may follow");
    expect(client.seqs("a")).toEqual([1, 2]);
  });

  it("too late gets a resync and continues live", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    for (let i = 0; i < 10; i += 1) host.emit("a", { type: "assistant.delta", text: "x" });
    host.bufferSize = 5;
    const [client, other] = [await connect(), await connect()];
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 2 });
    const resync = await client.waitForPhase("a", "resync");
    expect(resync.payload.message).toContain("thread.history");
    host.emit("a", { type: "status", phase: "idle" });
    await client.waitForPhase("a", "idle");
    await other.settle();
    expect(other.received.some(({ payload }) => payload.phase === "resync")).toBe(false);
  });

  it("ahead of the server gets a resync", async () => {
    const { connect, host } = await openUiServer();
    await host.create({ threadId: "a" });
    const client = await connect();
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 99 });
    await client.waitForPhase("a", "resync");
  });

  it.each([-1, 1.5, "3", null, undefined, {}, Number.MAX_SAFE_INTEGER * 2])(
    "with sinceSeq %j gets an error",
    async (sinceSeq) => {
      const { connect, host } = await openUiServer();
      await host.create({ threadId: "a" });
      const client = await connect();
      client.send("thread.subscribe", { threadId: "a", sinceSeq });
      const { payload } = await client.waitForType("error");
      expect(payload).toMatchObject({ threadId: "a", code: "invalid_input" });
      expect(payload.message).toContain("payload.sinceSeq");
    },
  );

  it("gets a replay above the queue limit at its own pace", async () => {
    const { connect, host } = await openUiServer({ limits: { outboundBytes: 100_000 } });
    await host.create({ threadId: "a" });
    const text = "x".repeat(10_000);
    for (let i = 0; i < 2_000; i += 1) host.emit("a", { type: "assistant.delta", text });
    const client = await connect();
    client.socket.pause();
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 0 });
    await waitFixedTime(300, "stalled client");
    for (let i = 0; i < 500; i += 1) host.emit("a", { type: "assistant.delta", text });
    client.socket.resume();
    await client.waitFor(({ payload }) => payload.seq === 2_501);
    host.emit("a", { type: "status", phase: "idle" });
    await client.waitForPhase("a", "idle");
    expect(client.seqs("a")).toEqual(range(1, 2_502));
  });

  it("gets the deletion last if the thread is deleted during replay", async () => {
    const { connect, host } = await openUiServer({ limits: { outboundBytes: 100_000 } });
    await host.create({ threadId: "a" });
    const text = "x".repeat(10_000);
    for (let i = 0; i < 2_000; i += 1) host.emit("a", { type: "assistant.delta", text });
    const client = await connect();
    client.socket.pause();
    client.send("thread.subscribe", { threadId: "a", sinceSeq: 0 });
    await waitFixedTime(300, "stalled client");
    await host.delete("a");
    client.socket.resume();
    await client.waitForType("thread.deleted");
    await client.settle();
    expect(client.received.filter(({ type }) => type === "error")).toEqual([]);
    expect(client.received.at(-2)?.type).toBe("thread.deleted");
  });
});
