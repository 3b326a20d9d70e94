import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { createSleepCommand, liveCommands } from "../agent/support/processes.ts";
import { startHarness } from "../agent/support/thread-harness.ts";
import { startAgentServer } from "../server/ui/agent-server.ts";
import { randomFrame } from "../server/ui/random-frame.ts";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { startScriptedModel } from "../support/scripted-model.ts";
import { type ReceivedMessage, UiClient } from "../support/ui-client.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";

/** Required counts. Takes minutes on a busy machine. */
const KILLS = 100;
const RECONNECTS = 200;
const FRAMES = 10_000;
const THREADS = 200;

it(`${KILLS} SIGKILLs of a server lose no acknowledged message`, async () => {
  const place = createCairnFolders();
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const invalid: string[] = [];
  let answers = 0;
  model.respond(({ body }) => {
    const open = new Set<string>();
    for (const message of body.messages) {
      for (const call of message.tool_calls ?? []) open.add(call.id);
      if (message.role === "tool" && !open.delete(message.tool_call_id ?? ""))
        invalid.push("orphan");
      if (message.role === "user" && open.size > 0) invalid.push("open call");
    }
    answers += 1;
    if (answers % 3 === 0) {
      return { toolCalls: [{ name: "glob", args: { pattern: `*${answers}` } }], text: "looking" };
    }
    return { text: `answer ${answers}`, delayMs: answers % 5 };
  });
  const env = {
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_MODEL: "scripted",
    CAIRN_BASE_URL: model.baseUrl,
    CAIRN_SANDBOX: "off",
    CAIRN_MEMORY: "off",
  };
  const args = ["ui-server", "--ui-port", "0"];
  const seen = new Map<string, string[]>();
  for (let round = 0; round < KILLS; round += 1) {
    const server = await CairnProcess.start({ place, args, env });
    const client = await UiClient.connect(await server.ready());
    // Threads continue in later rounds, so that each history survives many kills.
    const threadId = `t${round % 10}`;
    client.send("thread.create", { threadId });
    client.send("thread.history", { threadId, limit: 1_000 });
    const { payload } = await client.waitForType("thread.history");
    const reply = JSON.stringify(payload);
    const acknowledged = seen.get(threadId) ?? [];
    expect(acknowledged.filter((text) => !reply.includes(`"${text}"`))).toEqual([]);
    for (let n = 0; n < round % 3; n += 1) {
      const from = client.received.length;
      client.send("message.user", { threadId, text: `round ${round} message ${n}` });
      await client.waitForPhase(threadId, "idle", { from });
    }
    const from = client.received.length;
    for (let n = 0; n < 4; n += 1) {
      client.send("message.user", { threadId, text: `round ${round} last ${n}` });
    }
    await client.waitForPhase(threadId, "running", { from });
    await waitFixedTime(Math.random() * 200, "random moment");
    server.child.kill("SIGKILL");
    await server.exited;
    await client.closed;
    const done = client.received.flatMap((one) =>
      one.type === "assistant.done" ? [String(one.payload.text)] : [],
    );
    seen.set(threadId, [...acknowledged, ...done.filter((text) => text.startsWith("answer"))]);
  }
  expect(invalid).toEqual([]);
  expect([...seen.values()].flat().length).toBeGreaterThan(KILLS / 2);
  process.stderr.write(
    `${KILLS} kills, ${[...seen.values()].flat().length} answers seen, ${model.requests.length} requests\n`,
  );
}, 1_200_000);

it(`a client that reconnects ${RECONNECTS} times receives every event once and in order`, async () => {
  const { connect, model, host } = await startAgentServer();
  model.respond(({ index }) => ({ text: `answer ${index} ${"word ".repeat(20)}`, delayMs: 1 }));
  const observer = await connect();
  for (const threadId of ["a", "b"]) observer.send("thread.create", { threadId });
  await observer.settle();
  let isDone = false;
  const talk = async (threadId: string) => {
    for (let n = 0; !isDone; n += 1) {
      const from = observer.received.length;
      observer.send("message.user", { threadId, text: `message ${n}` });
      await observer.waitForPhase(threadId, "idle", { from });
    }
  };
  const talking = ["a", "b"].map(talk);
  const heard = new Map<string, ReceivedMessage[]>([
    ["a", []],
    ["b", []],
  ]);
  let resyncs = 0;
  for (let round = 0; round < RECONNECTS; round += 1) {
    const client = await connect();
    for (const [threadId, events] of heard) {
      const sinceSeq = events.at(-1)?.payload.seq ?? 0;
      client.send("thread.subscribe", { threadId, sinceSeq });
    }
    await waitFixedTime(Math.random() * 40, "random moment");
    if (round === RECONNECTS - 1) {
      isDone = true;
      await Promise.all(talking);
      await client.settle();
    }
    client.socket.terminate();
    await client.closed;
    for (const message of client.received) {
      if (message.payload?.phase === "resync") resyncs += 1;
      const events = heard.get(message.payload?.threadId);
      const seq = message.payload?.seq;
      // Events before the replay are included in it.
      if (events === undefined || seq === undefined) continue;
      if (seq > (events.at(-1)?.payload.seq ?? 0)) events.push(message);
    }
  }
  expect(resyncs).toBe(0);
  for (const [threadId, events] of heard) {
    const all = host.replay(threadId, 0) ?? [];
    expect(events.map(({ payload }) => payload.seq)).toEqual(all.map(({ seq }) => seq));
    const live = observer.received.filter(
      ({ payload }) => payload?.threadId === threadId && payload.seq !== undefined,
    );
    expect(events).toEqual(live);
  }
  process.stderr.write(`${[...heard.values()].flat().length} events\n`);
}, 600_000);

it(`${FRAMES} random frames close no other session and cause no server error`, async () => {
  const { connect, model, url } = await startAgentServer();
  model.respond(() => ({ text: "ok" }));
  const [attacker, bystander] = [await connect(), await connect()];
  attacker.send("thread.create", { threadId: "a" });
  const frames = fc.sample(randomFrame, { numRuns: FRAMES, seed: Date.now() });
  for (const [index, frame] of frames.entries()) {
    attacker.sendRaw(frame ?? "");
    if (index % 200 === 199) await attacker.settle();
  }
  await attacker.settle();
  await bystander.settle();
  const codes = attacker.received.flatMap(({ type, payload }) =>
    type === "error" ? [payload.code as string] : [],
  );
  expect(codes.length).toBeGreaterThan(FRAMES / 4);
  expect(codes).not.toContain("internal");
  expect((await fetch(`${url}/health`)).status).toBe(200);
}, 600_000);

it(`${THREADS} threads with a command each stop without leaving a process`, async () => {
  const command = createSleepCommand();
  const harness = await startHarness({ environment: process.env });
  onTestFinished(() => harness.close());
  harness.model.respond(() => ({
    toolCalls: [{ name: "shell", args: { command, timeout_ms: 600_000 } }],
  }));
  for (let index = 0; index < THREADS; index += 1) {
    await harness.host.create({ threadId: `t${index}` });
    await harness.host.send(`t${index}`, "go");
  }
  await expect
    .poll(() => liveCommands(command).length, { timeout: 120_000, interval: 500 })
    .toBeGreaterThanOrEqual(THREADS);
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  await harness.host.close();
  const { user, system } = process.cpuUsage(cpu);
  const took = `${Math.round(performance.now() - before)} ms, CPU ${Math.round((user + system) / 1_000)} ms`;
  process.stderr.write(`${THREADS} threads stopped in ${took}\n`);
  expect(liveCommands(command)).toEqual([]);
}, 600_000);
