import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { processIdentity } from "../../../src/shared/process-lock.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

async function threadFiles(): Promise<string[]> {
  const threads = join(harness.dataDir, "threads");
  const [folder = ""] = await readdir(threads);
  return readdir(join(threads, folder));
}

describe("creating a thread", () => {
  it("generates an id if none is given", async () => {
    harness = await startHarness();
    const { threadId } = await harness.host.create();
    expect(threadId).toMatch(/^[\w.-]{1,128}$/);
  });

  it("that exists changes nothing and is announced again", async () => {
    harness = await startHarness();
    await harness.say("hi");
    await harness.host.create({ threadId: "t", systemPromptPrefix: "other" });
    expect(harness.host.list()).toHaveLength(1);
    expect(harness.host.list()[0]?.messageCount).toBe(2);
    expect(outline(harness.events).at(-1)).toBe("thread.created");
  });

  it.each(["", "a/b", "..\\x", "a b", "ä", "x".repeat(129), "a\0"])(
    "refuses the id %j",
    async (threadId) => {
      harness = await startHarness();
      await expect(harness.host.create({ threadId })).rejects.toMatchObject({
        code: "invalid_input",
      });
    },
  );

  it.each([".", "..", "-", "CON", "x".repeat(128)])("accepts the id %j", async (threadId) => {
    harness = await startHarness();
    await harness.host.create({ threadId });
    await harness.say("hi", threadId);
    harness = await harness.restart();
    expect(harness.host.list().map((thread) => thread.threadId)).toContain(threadId);
  });

  it("beyond the settings' number is refused until one is deleted", async () => {
    harness = await startHarness({ limits: { threads: 2 } });
    await harness.host.create({ threadId: "second" });
    await expect(harness.host.create({ threadId: "third" })).rejects.toMatchObject({
      code: "too_large",
    });
    await harness.host.delete("second");
    await harness.host.create({ threadId: "third" });
  });

  it("that another process has open is refused when it is written to", async () => {
    harness = await startHarness();
    await harness.say("hi");
    await harness.host.close();
    const [folder = ""] = await readdir(join(harness.dataDir, "threads"));
    const pid = process.ppid;
    const holder = { pid, identity: processIdentity(pid), token: "other" };
    await writeFile(join(harness.dataDir, "threads", folder, "t.lock"), JSON.stringify(holder));
    harness = await harness.restart();
    await expect(harness.host.send("t", "hello")).rejects.toMatchObject({ code: "conflict" });
    expect(harness.host.list()).toMatchObject([{ threadId: "t", messageCount: 2 }]);
  });
});

describe("deleting a thread", () => {
  it("aborts its run, ends its commands, removes its files, and is the last event", async () => {
    const command = createSleepCommand();
    harness = await startHarness({
      answers: [{ toolCalls: [{ name: "shell", args: { command } }] }],
    });
    await harness.host.send("t", "go");
    await waitUntil(() => liveCommands(command).length > 0);
    await harness.host.delete("t");
    expect(liveCommands(command)).toEqual([]);
    expect(outline(harness.events).slice(-3)).toEqual(["aborted", "idle", "thread.deleted"]);
    expect(harness.host.list()).toEqual([]);
    expect(await threadFiles()).toEqual([]);
    await waitFixedTime(50, "no event may follow");
    expect(outline(harness.events).at(-1)).toBe("thread.deleted");
  });

  it("that is unknown is not_found, as are messages to it", async () => {
    harness = await startHarness();
    for (const attempt of [
      harness.host.delete("x"),
      harness.host.send("x", "hi"),
      harness.host.cancel("x"),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: "not_found" });
    }
    expect(() => harness.host.replay("x", 0)).toThrow("no thread");
  });

  it("frees the id: a new thread counts from 1 and has no history", async () => {
    harness = await startHarness();
    await harness.say("password-4711");
    const deleted = harness.host.delete("t");
    await Promise.all([deleted, harness.host.create({ threadId: "t" })]);
    await harness.say("hello");
    expect(JSON.stringify(harness.model.requests[1]?.body.messages)).not.toContain("password-4711");
    const after = harness.events.slice(
      harness.events.findIndex((event) => event.type === "thread.deleted") + 1,
    );
    expect(after[0]).toMatchObject({ type: "thread.created", seq: 1 });
  });
});

describe("replay", () => {
  it("returns exactly the events after a number", async () => {
    harness = await startHarness({ answers: [{ text: ["a", "b"] }] });
    await harness.say("hi");
    expect(harness.host.replay("t", 3)).toEqual(harness.events.slice(3));
    expect(harness.host.replay("t", 0)).toEqual(harness.events);
    expect(harness.host.replay("t", harness.events.length)).toEqual([]);
  });

  it("beyond the last event or before the buffer is undefined; nonsense is refused", async () => {
    harness = await startHarness();
    harness.model.respond(() => ({
      text: Array.from({ length: 2500 }, (_, index) => `${index} `),
    }));
    await harness.say("hi");
    expect(harness.host.replay("t", 0)).toBeUndefined();
    expect(harness.host.replay("t", harness.events.length + 1)).toBeUndefined();
    expect(harness.host.replay("t", 2000)).toEqual(harness.events.slice(2000));
    for (const bad of [-1, 1.5, Number.NaN]) {
      expect(() => harness.host.replay("t", bad)).toThrow("sinceSeq");
    }
  });
});

describe("many threads", () => {
  it("run twenty concurrently, each with its own responses and numbers", async () => {
    harness = await startHarness();
    harness.model.respond(({ body }) => {
      const task = String(body.messages.findLast(({ role }) => role === "user")?.content);
      const hasRun = body.messages.some(({ role }) => role === "tool");
      return hasRun
        ? { text: [`${task} `, "done"], chunkDelayMs: 20 }
        : {
            toolCalls: [{ name: "shell", args: { command: `sleep 0.2; echo ${task} > ${task}` } }],
          };
    });
    const ids = Array.from({ length: 20 }, (_, index) => `thread-${index}`);
    await Promise.all(ids.map((threadId) => harness.host.create({ threadId })));
    await Promise.all(ids.map((threadId) => harness.host.send(threadId, `task-${threadId}`)));
    expect(harness.host.list().filter(({ isRunning }) => isRunning).length).toBeGreaterThan(15);
    await Promise.all(ids.map((threadId) => harness.waitForPhase("idle", 1, threadId)));
    for (const threadId of ids) {
      const events = harness.events.filter((event) => event.threadId === threadId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-2)).toMatchObject({ text: `task-${threadId} done` });
    }
    expect((await readdir(harness.projectRoot)).length).toBe(20);
  });
});

describe("closing the host", () => {
  it("closes during work within five seconds and leaves no process", async () => {
    const command = createSleepCommand();
    harness = await startHarness({ environment: process.env });
    harness.model.respond(() => ({
      toolCalls: [
        { name: "shell", args: { command: `trap '' TERM; ${command} & ${command}; wait` } },
      ],
    }));
    const ids = ["a", "b", "c", "d"];
    for (const threadId of ids) {
      await harness.host.create({ threadId });
      await harness.host.send(threadId, "go");
    }
    await waitUntil(() => liveCommands(command).length >= 8);
    const before = performance.now();
    await harness.host.close();
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(liveCommands(command)).toEqual([]);
    await expect(harness.host.send("a", "more")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("notifies other listeners if one throws", async () => {
    harness = await startHarness();
    harness.host.subscribe(() => {
      throw new Error("broken listener");
    });
    const heard: string[] = [];
    harness.host.subscribe((event) => heard.push(event.type));
    await harness.say("hi");
    expect(heard).toContain("assistant.done");
  });
});
