import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { type ReceivedMessage, UiClient } from "../support/ui-client.ts";

it("plans, splits, edits, cancels and reconnects, and a second thread recalls what the first learned", async () => {
  const story = await begin();
  const { model, project } = story;
  let client = await story.connect();
  client.send("thread.create", {
    threadId: "builder",
    systemPromptPrefix: "You are the builder of this shop.",
  });
  await client.waitForType("thread.created");
  const say = sayOn(() => client);

  model.script({ toolCalls: [{ name: "ask_user", args: { question: "Which language?" } }] });
  const question = await say("builder", "/plan a greeting", "prompt");
  expect(question.at(-1)?.payload.message).toBe("Which language?");
  model.script({
    text: "---\nname: Greet in French\ndescription: the greeting is French\n---\n\nChange greet().",
  });
  expect(outline(await say("builder", "French", "prompt"))).toEqual([
    "tool.result",
    "assistant.delta",
    "assistant.done",
    "idle",
    "info",
    "prompt",
  ]);
  await say("builder", "y", "success");
  expect(project.json(".cairn/plans.json")).toMatchObject([{ id: 1, name: "Greet in French" }]);

  model.script({ text: "- [ ] Everything: at once" });
  await say("builder", "/plans split 1", "prompt");
  model.script({ text: "- [ ] Change greet: say bonjour\n- [ ] Check it: run the program" });
  await say("builder", "two tasks, please", "prompt");
  await say("builder", "yes", "success");
  expect(project.json(".cairn/tasks.json")).toMatchObject([
    { id: "1-1", name: "Change greet", description: "say bonjour" },
    { id: "1-2", name: "Check it" },
  ]);

  // Work: the edit uses the anchors from the read.
  model.script(
    { toolCalls: [{ name: "read", args: { path: "greet.mjs" } }] },
    { text: "I have read it." },
  );
  await say("builder", "Read greet.mjs for task 1-1.");
  expect(model.requests.at(-1)?.body.messages[0]?.content).toMatch(
    /^You are the builder of this shop\.\n/,
  );
  const anchor = /^2:[0-9a-f]+(?=\|)/m.exec(lastToolText(model))?.[0];
  model.script(
    {
      text: "I change the line.",
      toolCalls: [
        {
          name: "edit",
          args: { path: "greet.mjs", edits: [{ start: anchor, content: '  return "bonjour";' }] },
        },
        { name: "shell", args: { command: "node greet.mjs" } },
        {
          name: "remember",
          args: {
            content: "The greeting of the shop is French: bonjour",
            episode_type: "decision",
            entities: "file:greet.mjs",
          },
        },
      ],
    },
    { text: "Done: it says bonjour." },
  );
  const work = await say("builder", "Now change it.");
  expect(outline(work)).toEqual([
    "running",
    "assistant.delta",
    "assistant.done",
    "tool.call",
    "tool.result",
    "tool.call",
    "tool.result",
    "tool.call",
    "tool.result",
    "assistant.delta",
    "assistant.done",
    "idle",
  ]);
  const [edited, shown, remembered] = work.filter(({ type }) => type === "tool.result");
  expect(edited?.payload.diff).toContain('-  return "hello";\n+  return "bonjour";');
  expect(shown?.payload.output).toContain("bonjour");
  expect(remembered?.payload).not.toHaveProperty("isError");
  expect(project.text("greet.mjs")).toContain('return "bonjour";');

  // A cancel kills the command and its children.
  const marker = `sleep 86${process.pid}`;
  model.script({
    toolCalls: [{ name: "shell", args: { command: `setsid ${marker} & ${marker}` } }],
  });
  const beforeCancel = client.received.length;
  client.send("message.user", { threadId: "builder", text: "Run it for ever." });
  await client.waitForType("tool.call", { from: beforeCancel });
  await expect.poll(() => processes(marker)).toHaveLength(2);
  client.send("run.cancel", { threadId: "builder" });
  await client.waitForPhase("builder", "aborted", { from: beforeCancel });
  expect(processes(marker)).toEqual([]);
  await client.waitForPhase("builder", "idle", { from: beforeCancel });

  const words = Array.from({ length: 30 }, (_unused, index) => `word ${index} `);
  model.script({ text: words, chunkDelayMs: 20 });
  const beforeLeaving = client.received.length;
  client.send("message.user", { threadId: "builder", text: "Tell me about it." });
  await client.waitFor(({ payload }) => payload.text === "word 3 ", { from: beforeLeaving });
  client.socket.terminate();
  await client.closed;
  const seen = client.seqs("builder");
  client = await story.connect();
  client.send("thread.subscribe", { threadId: "builder", sinceSeq: seen.at(-1) });
  const told = await client.waitForType("assistant.done");
  expect(told.payload.text).toBe(words.join(""));
  await client.waitForPhase("builder", "idle");
  const all = [...seen, ...client.seqs("builder")];
  expect(all).toEqual(all.map((_seq, index) => index + 1));

  // The server is killed during a run, and the conversation is restored.
  model.script({ toolCalls: [{ name: "shell", args: { command: marker } }] });
  const beforeCrash = client.received.length;
  client.send("message.user", { threadId: "builder", text: "Once more." });
  await client.waitForType("tool.call", { from: beforeCrash });
  await story.restart("SIGKILL");
  client = await story.connect();
  client.send("thread.list");
  const { payload } = await client.waitForType("thread.list");
  expect(payload.threads).toMatchObject([{ threadId: "builder", isRunning: false }]);
  model.script({ text: "I look first." });
  expect(outline(await say("builder", "Go on."))).toEqual([
    "running",
    "assistant.delta",
    "assistant.done",
    "idle",
  ]);
  expectEveryCallAnswered(model);
  expect(processes(marker)).toEqual([]);

  client.send("thread.create", { threadId: "reviewer" });
  await client.waitFor(({ payload: { threadId } }) => threadId === "reviewer");
  model.script(
    { toolCalls: [{ name: "recall", args: { query: "What is the greeting of the shop?" } }] },
    { text: "It is French." },
  );
  await say("reviewer", "Which language does the shop greet in?");
  expect(lastToolText(model)).toContain("The greeting of the shop is French: bonjour");

  expect(await story.stop("SIGTERM")).toEqual({ code: 0, signal: null });
}, 180_000);

async function begin() {
  const place = createCairnFolders();
  mkdirSync(join(place.project, ".cairn"));
  writeFileSync(join(place.project, ".cairn/config.json"), JSON.stringify({ db: "shop" }));
  writeFileSync(
    join(place.project, "greet.mjs"),
    'function greet() {\n  return "hello";\n}\nconsole.log(greet());\n',
  );
  // Trusted, because file contents of an untrusted project are untrusted content.
  const trust = await CairnProcess.start({ place, args: ["trust", "--yes"] });
  expect(await trust.exited).toEqual({ code: 0, signal: null });
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const start = () =>
    CairnProcess.start({
      place,
      args: ["ui-server", "--ui-port", "0"],
      env: {
        CAIRN_PROVIDER: "openai-compatible",
        CAIRN_BASE_URL: model.baseUrl,
        CAIRN_MODEL: "scripted",
      },
    });
  let server = await start();
  const stop = (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    return server.exited;
  };
  const text = (path: string) => readFileSync(join(place.project, path), "utf8");
  return {
    model,
    project: { text, json: (path: string) => JSON.parse(text(path)) },
    connect: async () => UiClient.connect(await server.ready()),
    stop,
    restart: async (signal: NodeJS.Signals) => {
      await stop(signal);
      server = await start();
    },
  };
}

/** Sends a message and returns the following messages up to the given phase. */
function sayOn(client: () => UiClient) {
  return async (
    threadId: string,
    text: string,
    until = "idle",
  ): Promise<readonly ReceivedMessage[]> => {
    const from = client().received.length;
    client().send("message.user", { threadId, text });
    const last = await client().waitForPhase(threadId, until, { from });
    return client().received.slice(from, client().received.indexOf(last) + 1);
  };
}

/** Phases that report progress, sent only if a step takes long. */
const PROGRESS: readonly unknown[] = ["calling", "thinking", "output"];

function outline(messages: readonly ReceivedMessage[]): unknown[] {
  return messages
    .filter(({ payload }) => !PROGRESS.includes(payload.phase) && payload.progress === undefined)
    .map(({ type, payload }) => (type === "status" ? payload.phase : type));
}

function lastToolText(model: ScriptedModel): string {
  const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  return String(results.at(-1)?.content);
}

function expectEveryCallAnswered(model: ScriptedModel): void {
  const messages = model.requests.at(-1)?.body.messages ?? [];
  const calls = messages.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
  const results = messages.flatMap((message) => message.tool_call_id ?? []);
  expect(calls.length).toBeGreaterThan(3);
  expect([...results].sort()).toEqual([...calls].sort());
}

function processes(command: string): string[] {
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return list.filter((line) => line.trim() === command);
}
