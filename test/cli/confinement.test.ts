// @module-tag long: sandboxes real processes.
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { startScriptedModel } from "../support/scripted-model.ts";
import { UiClient } from "../support/ui-client.ts";

async function run(place: ReturnType<typeof createCairnFolders>, args: string[], env = {}) {
  const cairn = await CairnProcess.start({ place, args, env });
  const { code } = await cairn.exited;
  return { code, stdout: cairn.stdout, stderr: cairn.stderr };
}

function bareBin(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const name of ["sh", "cat", "touch", "git"])
    symlinkSync(`/usr/bin/${name}`, join(bin, name));
  return bin;
}

describe("the sandbox", () => {
  it("is reported by doctor, with the reason if missing", async () => {
    const folders = createCairnFolders();
    const { code } = await run(folders, ["apply", resolve("examples/first-memory.changeset")]);
    expect(code).toBe(0);
    const off = await run(folders, ["doctor"], { CAIRN_SANDBOX: "off" });
    expect(off.stdout).toContain("The agent's commands run without a sandbox: off (by setting)");
    if (process.platform !== "linux") return;
    const missing = await run(folders, ["doctor", "--json"], { PATH: bareBin(folders.home) });
    expect(JSON.parse(missing.stdout).sandbox).toMatch(/^off \(not installed: bwrap, socat\)$/);
  });

  it("is reported in the home folder, where everything requires permission", async () => {
    const folders = createCairnFolders();
    const model = await startScriptedModel(
      { toolCalls: [{ name: "shell", args: { command: "touch made" } }] },
      { text: "done" },
    );
    onTestFinished(() => model.close());
    const env = {
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_MODEL: "scripted",
      CAIRN_BASE_URL: model.baseUrl,
    };
    const { stderr } = await run({ ...folders, project: folders.home }, ["do it"], env);
    expect(stderr).toContain("is not a project");
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("--permission auto");
  });

  it("a server in the home folder starts in mode ask", async () => {
    const { home } = createCairnFolders();
    const args = ["ui-server", "--ui-port", "0"];
    const server = await CairnProcess.start({ place: { home, project: home }, args });
    const client = await UiClient.connect(await server.ready());
    onTestFinished(() => client.socket.terminate());
    const { payload } = await client.waitForType("session.ready");
    expect(payload.permissionMode).toBe("ask");
    expect(server.stderr).toContain("is not a project");
  });
});
