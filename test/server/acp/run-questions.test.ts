// @module-tag long: programs and servers that are started and killed.
import {
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { expect, it, onTestFinished } from "vitest";
import { createThreadHost, offeredCommands } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { addTasks } from "../../../src/agent/tasks/task-store.ts";
import { AnswerFiles } from "../../../src/agent/unattended/answer-files.ts";
import { findNight } from "../../../src/agent/unattended/night-place.ts";
import { createAcpApp } from "../../../src/server/acp/acp-app.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { startAskingNight } from "../../agent/unattended/support/asking-night.ts";
import { startNightBench } from "../../agent/unattended/support/night-bench.ts";
import { patiently } from "../../support/patiently.ts";

const LIMIT = patiently(90_000);
const SOON = { timeout: patiently(40_000) };

/** An editor on the project of a bench; `choose` names the option, nothing: the editor gives no answer. */
async function openEditor(choose: (request: RequestPermissionRequest) => string | undefined) {
  const bench = await startNightBench();
  const settings = agentSettings.parse({ sandbox: "off", permission: { mode: "auto" } });
  const options = { ...bench.hostOptions({ settings }), showsRuns: true };
  const host = await createThreadHost(options);
  const commands = await offeredCommands(options);
  const { app, close } = createAcpApp({
    version: "1.2.3",
    open: async () => ({ host, commands, close: async () => undefined }),
  });
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toEditor = new TransformStream<Uint8Array, Uint8Array>();
  const connection = app.connect(ndJsonStream(toEditor.writable, toAgent.readable));
  const asked: RequestPermissionRequest[] = [];
  const updates: SessionUpdate[] = [];
  const editor = client({ name: "test" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const optionId = choose(params);
      return {
        outcome:
          optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
      };
    })
    .connect(ndJsonStream(toAgent.writable, toEditor.readable));
  onTestFinished(async () => {
    editor.close();
    connection.close();
    await connection.closed;
    await close();
    await host.close();
  });
  await editor.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const newSession = async () => {
    const cwd = bench.project;
    const { sessionId } = await editor.agent.request("session/new", { cwd, mcpServers: [] });
    return sessionId;
  };
  const night = () => {
    const begun = startAskingNight({ ...bench, baseUrl: bench.model.baseUrl });
    onTestFinished(() => begun.end());
    return begun;
  };
  return { ...bench, agent: editor.agent, asked, updates, newSession, night };
}

const shell = (command: string) => ({ toolCalls: [{ name: "shell", args: { command } }] });

it(
  "an editor is shown what a run of a shell asks, whole, and its answer counts",
  async () => {
    const { model, asked, newSession, night } = await openEditor(() => "no");
    const sessionId = await newSession();
    model.script(shell("npm version patch &&\nnpm publish"), { text: "Left." });
    const run = night();
    await run.ended;
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ sessionId });
    expect(asked[0]?.toolCall.title).toMatch(/^Publish it: /);
    const shown = JSON.stringify(asked[0]?.toolCall.content);
    expect(shown).toContain("npm version patch &&\\nnpm publish");
    expect(shown).toMatch(/The unattended run [\w-]+ asks/);
    expect(asked[0]?.options.map(({ optionId }) => optionId)).toEqual(["once", "no", "open"]);
    expect(run.told()).toContain("was answered: no");
  },
  LIMIT,
);

it(
  "words that a run asks for are chosen from what it offers",
  async () => {
    const { model, newSession, night } = await openEditor(
      ({ options }) => options.find(({ name }) => name === "ours")?.optionId,
    );
    await newSession();
    const question = { question: "Which registry?", choices: ["public", "ours"] };
    model.script({ toolCalls: [{ name: "ask_user", args: question }] }, { text: "Done." });
    const run = night();
    await run.ended;
    expect(run.told()).toContain("was answered: once: ours");
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("ours");
  },
  LIMIT,
);

it(
  "what an editor leaves open stays open, comes again, and may be answered elsewhere",
  async () => {
    let choice: string | undefined = "open";
    const { model, asked, newSession, night, dataDir, project } = await openEditor(() => choice);
    model.script(shell("npm publish"), { text: "Done." });
    const run = night();
    await newSession();
    await expect.poll(() => asked.length, SOON).toBe(1);
    choice = undefined;
    await newSession();
    await expect.poll(() => asked.length, SOON).toBe(2);
    expect(run.told()).not.toContain("was answered");
    const { answers } = findNight(dataDir, project);
    new AnswerFiles(answers).put(asked[0]?.toolCall.toolCallId ?? "", { decision: "no" });
    await run.ended;
    expect(run.told()).toContain("was answered: no");
    // It is open no more: nothing comes again.
    await newSession();
    expect(asked).toHaveLength(2);
  },
  LIMIT,
);

it(
  "`/tasks run --unattended` of an editor's session asks in that session",
  async () => {
    const { agent, model, asked, updates, newSession, project } = await openEditor(() => "no");
    const [sessionId] = [await newSession(), await newSession()];
    const say = (text: string) =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    const draft = {
      ...{ name: "Publish it", description: "", relatedFiles: [], acceptanceCriteria: [] },
    };
    await addTasks({ projectRoot: project, planId: 0, drafts: [draft], clock: systemClock });
    model.script(shell("npm publish"), { text: "NOT DONE: nobody let me." });
    expect(await say("/tasks run --unattended")).toEqual({ stopReason: "end_turn" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ sessionId });
    expect(JSON.stringify(asked[0]?.toolCall)).toContain("npm publish");
    expect(JSON.stringify(updates)).toContain("was answered: no");
  },
  LIMIT,
);
