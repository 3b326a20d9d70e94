import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAgentServer } from "./agent-server.ts";

const removal = { toolCalls: [{ name: "shell", args: { command: "git push && touch pushed" } }] };

it("clients with the capability get requests, also late ones; the first answer counts", async () => {
  const { connect, projectRoot } = await startAgentServer(removal, { text: "done" });
  const [plain, asked] = [await connect(), await connect()];
  asked.send("session.start", { capabilities: ["permission", "of a later version"] });
  asked.send("thread.create", { threadId: "a" });
  asked.send("message.user", { threadId: "a", text: "go" });
  const { payload } = await asked.waitForType("permission.ask");
  expect(payload).toMatchObject({
    threadId: "a",
    tool: "shell",
    reason: expect.stringContaining("see what it sends"),
  });
  const late = await connect();
  late.send("session.start", { capabilities: ["permission"] });
  const again = await late.waitForType("permission.ask");
  expect(again.payload).toEqual(payload);
  const { questionId } = payload;
  late.send("permission.answer", { threadId: "a", questionId, decision: "no", message: "wait" });
  const settled = await asked.waitForType("permission.settled");
  expect(settled.payload).toEqual({ threadId: "a", questionId, decision: "no" });
  asked.send("permission.answer", { threadId: "a", questionId, decision: "once" });
  expect((await asked.waitForType("error")).payload.message).toContain("not open any more");
  await asked.waitForPhase("a", "idle");
  expect(existsSync(join(projectRoot, "pushed"))).toBe(false);
  const types = plain.received.map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("permission."))).toEqual([]);
});

it("clients without the capability are unaffected", async () => {
  const { connect, projectRoot } = await startAgentServer(
    { toolCalls: [{ name: "shell", args: { command: "rm -f x; touch ran" } }] },
    { text: "done" },
  );
  const client = await connect();
  expect((await client.waitForType("session.ready")).payload.permissionMode).toBe("auto");
  client.send("thread.create", { threadId: "a" });
  client.send("message.user", { threadId: "a", text: "go" });
  await client.waitForPhase("a", "idle");
  expect(existsSync(join(projectRoot, "ran"))).toBe(true);
});

it("a client without the capability cannot answer", async () => {
  const { connect, projectRoot } = await startAgentServer(removal, { text: "done" });
  const [plain, asked] = [await connect(), await connect()];
  asked.send("session.start", { capabilities: ["permission"] });
  asked.send("thread.create", { threadId: "a" });
  asked.send("message.user", { threadId: "a", text: "go" });
  const { questionId } = (await asked.waitForType("permission.ask")).payload;
  plain.send("permission.answer", { threadId: "a", questionId, decision: "once" });
  const { payload } = await plain.waitForType("error");
  expect(payload).toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("permission"),
  });
  asked.send("permission.answer", { threadId: "a", questionId, decision: "no" });
  await asked.waitForPhase("a", "idle");
  expect(existsSync(join(projectRoot, "pushed"))).toBe(false);
});
