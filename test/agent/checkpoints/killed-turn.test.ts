// @module-tag long: kills processes at random times.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { UiClient } from "../../support/ui-client.ts";
import { listTree } from "./tree-hash.ts";

let model: ScriptedModel;
afterEach(() => model.close());

async function open(place: ReturnType<typeof createCairnFolders>) {
  const server = await CairnProcess.start({
    place,
    args: ["ui-server"],
    env: {
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_BASE_URL: model.baseUrl,
      CAIRN_MODEL: "scripted",
      CAIRN_SANDBOX: "false",
      CAIRN_PERMISSION_MODE: "auto",
      CAIRN_UI_PORT: "0",
    },
  });
  const client = await UiClient.connect(await server.ready());
  client.send("thread.create", { threadId: "t" });
  const say = async (text: string, phase: string) => {
    const from = client.received.length;
    client.send("message.user", { threadId: "t", text });
    await client.waitFor(
      ({ type, payload }) => (type === "status" && payload.phase === phase) || type === "error",
      { from, timeoutMs: 30_000 },
    );
    return client.received.slice(from);
  };
  return { server, client, say };
}

it.each([
  ["before its first change", ""],
  ["after an edit", "edit"],
  ["in the middle of a command", "command"],
] as const)("undoes a turn killed %s, and not the one before it", async (_name, deed) => {
  const folders = createCairnFolders();
  const at = (path: string) => join(folders.project, path);
  const config = join(folders.home, ".config/cairn");
  mkdirSync(config, { recursive: true });
  const permission = { rules: [{ tool: "shell", action: "allow" }] };
  writeFileSync(join(config, "config.json"), JSON.stringify({ permission }));
  execFileSync("git", ["init", "-q"], { cwd: folders.project });
  for (const name of ["a", "b", "c"]) writeFileSync(at(`${name}.txt`), `${name}0\n`);
  const write = (path: string) => ({
    toolCalls: [{ name: "write", args: { path, content: `${path} new\n`, overwrite: true } }],
  });
  const hang = {
    toolCalls: [
      { name: "shell", args: { command: "echo c1 > c.txt; rm b.txt; echo $$ > pid; sleep 60" } },
    ],
  };
  model = await startScriptedModel();
  const script = [
    write("a.txt"),
    { text: "good" },
    ...{ "": [], edit: [write("b.txt")], command: [hang] }[deed],
  ];
  model.respond(({ index }) => script[index] ?? { hang: true });
  const first = await open(folders);
  await first.say("good work", "idle");
  const good = listTree(folders.project);
  first.client.send("message.user", { threadId: "t", text: "half done" });
  await expect
    .poll(
      () =>
        deed === "command"
          ? listTree(folders.project).some((one) => one.startsWith("pid "))
          : model.requests.length > script.length,
      { timeout: 30_000 },
    )
    .toBe(true);
  first.server.child.kill("SIGKILL");
  await first.server.exited;
  const second = await open(folders);
  const reply = JSON.stringify(await second.say("/undo", "success"));
  expect(reply).toContain("half done");
  expect(listTree(folders.project)).toEqual(good);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("a.txt new\n");
  expect(JSON.stringify(await second.say("/undo", "success"))).toContain("good work");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("a0\n");
});
