// @module-tag long: programs and servers that are started and killed.
import { expect, it, onTestFinished } from "vitest";
import { createThreadHost, type PermissionNotice } from "../../../src/agent/index.ts";
import { AnswerFiles } from "../../../src/agent/unattended/answer-files.ts";
import { findNight } from "../../../src/agent/unattended/night-place.ts";
import { patiently } from "../../support/patiently.ts";
import { startAskingNight } from "./support/asking-night.ts";
import { startNightBench } from "./support/night-bench.ts";

const LIMIT = patiently(60_000);

async function server() {
  const bench = await startNightBench();
  const host = await createThreadHost({ ...bench.hostOptions({}), surface: "server" });
  onTestFinished(() => host.close());
  const notices: PermissionNotice[] = [];
  onTestFinished(host.permission.attach((notice) => void notices.push(notice)));
  const night = startAskingNight({ ...bench, baseUrl: bench.model.baseUrl });
  onTestFinished(() => night.end());
  const asked = async (count: number) => {
    const all = () =>
      notices.flatMap((notice) => (notice.type === "permission.ask" ? [notice.question] : []));
    await expect.poll(all, { timeout: patiently(40_000) }).toHaveLength(count);
    return all().at(-1);
  };
  return { ...bench, host, notices, night, asked };
}

const shell = (command: string) => ({ toolCalls: [{ name: "shell", args: { command } }] });

it(
  "shows on a server what a run of a shell asks, whole, and gives it the answer",
  async () => {
    const { host, model, night, asked } = await server();
    model.script(shell("npm version patch &&\nnpm publish"), { text: "Left." });
    const question = await asked(1);
    expect(question).toMatchObject({
      command: "npm version patch &&\nnpm publish",
      always: [],
      run: { task: "1", name: "Publish it" },
    });
    const { threadId = "", questionId = "" } = question ?? {};
    host.permission.answer(threadId, questionId, { decision: "no", message: "not on a Friday" });
    await night.ended;
    expect(night.told()).toContain("not on a Friday");
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("not on a Friday");
  },
  LIMIT,
);

it(
  "takes words as words, and closes what was answered elsewhere",
  async () => {
    const { host, model, night, asked, notices, dataDir, project } = await server();
    const question = { question: "Which registry?", choices: ["public", "ours"] };
    model.script({ toolCalls: [{ name: "ask_user", args: question }] }, shell("npm publish"), {
      text: "Done.",
    });
    const words = await asked(1);
    expect(words).toMatchObject({ wants: "words", command: expect.stringContaining("ours") });
    const { threadId = "", questionId = "" } = words ?? {};
    host.permission.answer(threadId, questionId, { decision: "once", message: "ours" });
    const { callId = "", questionId: second } = (await asked(2)) ?? {};
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("ours");
    const { answers } = findNight(dataDir, project);
    new AnswerFiles(answers).put(callId, { decision: "no" });
    await night.ended;
    const settled = { type: "permission.settled", questionId: second, decision: "cancelled" };
    await expect.poll(() => notices).toContainEqual(expect.objectContaining(settled));
  },
  LIMIT,
);
