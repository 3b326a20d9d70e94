import { expect, it } from "vitest";
import { createThreadHost } from "../../src/agent/index.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { llmSettings } from "../../src/llm/index.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

async function talk(folders: CliFolders, messages: readonly string[]): Promise<readonly string[]> {
  const model = await startScriptedModel();
  const host = await createThreadHost({
    projectRoot: folders.project,
    dataDir: folders.dataDir,
    userConfigDir: folders.home,
    settings: agentSettings.parse({ sandbox: false }),
    llm: llmSettings.parse({ provider: "openai-compatible", baseUrl: model.baseUrl }),
    memory: undefined,
    surface: "server",
    environment: process.env,
  });
  const ids: string[] = [];
  for (const message of messages) {
    const { threadId } = await host.create();
    const isIdle = new Promise<void>((resolve) =>
      host.subscribe((event) => {
        if (event.threadId === threadId && event.type === "status" && event.phase === "idle") {
          resolve();
        }
      }),
    );
    await host.send(threadId, message);
    await isIdle;
    ids.push(threadId);
  }
  await host.rename(ids[0] ?? "", "The main road");
  await host.close();
  await model.close();
  return ids;
}

it("lists the project's sessions by title, latest first", async () => {
  const folders = createCliFolders();
  expect((await runInProcess(folders, ["sessions"])).stdout).toContain(
    "no sessions in this project",
  );
  const [first = "", second = ""] = await talk(folders, ["why is it so?", "and now?"]);
  const { stdout } = await runInProcess(folders, ["sessions"]);
  expect(stdout).toMatch(
    new RegExp(`${second} .*2 messages.*and now\\?\n${first} .*The main road`),
  );
  expect(stdout).toContain("cairn --resume ID");
  const listed = JSON.parse((await runInProcess(folders, ["sessions", "--json"])).stdout);
  expect(listed.sessions).toMatchObject([
    { id: second, title: "and now?", messages: 2, parent: null },
    { id: first, title: "The main road" },
  ]);
});
