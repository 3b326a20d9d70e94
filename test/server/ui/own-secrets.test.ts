// @module-tag long: starts server processes.
import { readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";
import { UiClient } from "../../support/ui-client.ts";

it.runIf(process.platform === "linux")(
  "the key is hidden from commands but usable for the model",
  async () => {
    const command = "tr '\\0' '\\n' < /proc/$PPID/environ; env; echo end";
    const model = await startScriptedModel(
      { toolCalls: [{ name: "shell", args: { command } }] },
      { text: "done" },
    );
    onTestFinished(() => model.close());
    const env = {
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_MODEL: "scripted",
      CAIRN_BASE_URL: model.baseUrl,
      CAIRN_API_KEY: "sk-very-own-key",
      ANTHROPIC_API_KEY: "sk-another",
      CAIRN_SANDBOX: "off",
      CAIRN_PERMISSION_MODE: "auto",
      CAIRN_UI_PORT: "0",
      CAIRN_PERMISSION_RULES: '[{"tool":"shell","action":"allow"}]',
    };
    const server = await CairnProcess.start({
      place: createCairnFolders(),
      env,
      args: ["ui-server"],
    });
    const client = await UiClient.connect(await server.ready());
    onTestFinished(() => client.socket.terminate());
    const environ = readFileSync(`/proc/${server.child.pid}/environ`, "utf8");
    expect(environ).toContain("CAIRN_MODEL=scripted");
    expect(environ).not.toMatch(/sk-/);
    client.send("thread.create", { threadId: "a" });
    client.send("message.user", { threadId: "a", text: "go" });
    await client.waitForPhase("a", "idle");
    const last = model.requests.at(-1);
    expect(JSON.stringify(last?.body)).toContain("CAIRN_MODEL=scripted");
    expect(JSON.stringify(last?.body)).not.toMatch(/sk-/);
    expect(last?.authorization).toBe("Bearer sk-very-own-key");
  },
);

it("--token auto stores a private random token and prints it with the URL", async () => {
  const place = createCairnFolders();
  const start = () =>
    CairnProcess.start({ place, args: ["ui-server", "--ui-port", "0", "--token", "auto"] });
  const server = await start();
  const url = await server.ready();
  await expect.poll(() => server.stderr).toMatch(/The token is stored in .+\n/);
  const [, token = ""] = /\?token=(\S+)/.exec(server.stderr) ?? [];
  const [, file = ""] = /The token is stored in (.+)\n/.exec(server.stderr) ?? [];
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(UiClient.connect(url)).rejects.toThrowError(/401/);
  const client = await UiClient.connect(url, {}, `/ws?token=${token}`);
  client.socket.terminate();
  server.child.kill("SIGTERM");
  await server.exited;
  const again = await start();
  await again.ready();
  await expect.poll(() => again.stderr).toContain(token);
});

it("--token auto of serve is required from clients; a readable file is rejected", async () => {
  const place = createCairnFolders();
  const args = ["serve", "--port", "0", "--token", "auto"];
  const server = await CairnProcess.start({ place, args });
  const url = await server.ready();
  await expect.poll(() => server.stderr).toMatch(/Bearer \S+/);
  const [, token = ""] = /Bearer (\S+)/.exec(server.stderr) ?? [];
  expect((await fetch(`${url}/api/v1/status`)).status).toBe(401);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await fetch(`${url}/api/v1/status`, { headers })).status).not.toBe(401);

  const other = createCairnFolders();
  await mkdir(join(other.home, ".local/share/cairn/tokens"), { recursive: true });
  await writeFile(join(other.home, ".local/share/cairn/tokens/serve"), "known\n", { mode: 0o644 });
  const refused = await CairnProcess.start({ place: other, args });
  expect((await refused.exited).code).toBe(1);
  expect(refused.stderr).toContain("readable by you only");
});
