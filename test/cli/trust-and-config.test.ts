import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { createConfigFolders } from "../config/config-folders.ts";

type Place = ReturnType<typeof createConfigFolders>;

async function cairn(paths: Place, args: readonly string[], typed?: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = Object.assign(Readable.from(typed === undefined ? [] : [typed]), {
    isTTY: typed !== undefined,
  });
  const { env, cwd } = paths;
  const line = { env, cwd, stdin, stdout, stderr, logger: silentLogger, furtherOperations: [] };
  const code = await runCommandLine(args, line);
  const text = (stream: PassThrough) => String(stream.read() ?? "");
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const HOOKS = { stop: [{ shell: "make \u001b[2J check" }] };

describe("cairn trust", () => {
  it("shows the project's settings without control sequences and asks", async () => {
    const paths = createConfigFolders();
    paths.writeProject({ hooks: HOOKS, apiKey: "sk-secret", db: "x" });
    const no = await cairn(paths, ["trust"], "n\n");
    expect(no.code).toBe(1);
    expect(no.stderr).toContain("hooks.stop");
    expect(no.stderr).not.toMatch(/\u001b|sk-secret/);
    const yes = await cairn(paths, ["trust"], "yes\n");
    expect(yes.code).toBe(0);
    const shown = await cairn(paths, ["config", "--json"]);
    const { settings } = JSON.parse(shown.stdout);
    expect(settings).toContainEqual(
      expect.objectContaining({ key: "hooks.stop", value: HOOKS.stop }),
    );
  });

  it("shows targets of the project's links, one path per line", async () => {
    const paths = createConfigFolders();
    const outside = join(paths.cwd, "..", "outside");
    mkdirSync(join(outside, "commands"), { recursive: true });
    const real = realpathSync(outside);
    writeFileSync(join(outside, "mcp.json"), '{"mcpServers":{"a":{"command":"node"}}}');
    writeFileSync(join(outside, "commands", "go\n.md"), "Go.");
    paths.writeProject({ hooks: HOOKS });
    symlinkSync(join(outside, "mcp.json"), join(paths.cwd, ".mcp.json"));
    symlinkSync(join(outside, "commands"), join(paths.cwd, ".cairn", "commands"));
    const { stderr } = await cairn(paths, ["trust"], "n\n");
    expect(stderr).toContain(`.mcp.json → ${real}/mcp.json has cairn start\n  a: {`);
    expect(stderr).toContain(`your messages: /go\\n → ${real}/commands/go\\n.md\n`);
    expect(stderr).toContain("config.json sets\n");
  });

  it("is denied to an agent's commands", async () => {
    const paths = createConfigFolders();
    paths.writeProject({ hooks: HOOKS });
    paths.env.CAIRN_PROCESS_TREE = "t.1.";
    const refused = await cairn(paths, ["trust", "--yes"]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Commands of an agent/),
    });
    delete paths.env.CAIRN_PROCESS_TREE;
    expect((await cairn(paths, ["trust", "--yes"])).code).toBe(0);
  });

  it("is granted to a config written by `cairn init`, not to an existing one", async () => {
    const paths = createConfigFolders();
    await cairn(paths, ["init", "shop"]);
    expect((await cairn(paths, ["config"])).stdout).toContain("(trusted)");
    const cloned = createConfigFolders();
    cloned.writeProject({ hooks: HOOKS });
    await cairn(cloned, ["init", "shop", "--force"]);
    expect((await cairn(cloned, ["config"])).stdout).toContain("(untrusted)");
  });

  it("requires --yes without a terminal", async () => {
    const paths = createConfigFolders();
    paths.writeProject({ sandbox: false });
    expect(await cairn(paths, ["trust"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--yes"),
    });
    const yes = await cairn(paths, ["trust", "--yes", "--json"]);
    expect(JSON.parse(yes.stdout)).toMatchObject({ state: "trusted", sets: [{ key: "sandbox" }] });
  });

  it("reports a missing project config", async () => {
    const { code, stderr } = await cairn(createConfigFolders(), ["trust", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing to trust");
  });
});

describe("cairn config", () => {
  it("shows the source of settings and hides secrets", async () => {
    const paths = createConfigFolders();
    paths.writeUser({ model: "m", apiKey: "sk-secret" });
    paths.env.CAIRN_DB = "work";
    const { stdout } = await cairn(paths, ["config"]);
    expect(stdout).toMatch(/^db +"work" +\(CAIRN_DB\)$/m);
    expect(stdout).toMatch(/^model +"m" +\(.*config\.json\)$/m);
    expect(stdout).toMatch(/^apiKey +"\(hidden\)"/m);
    expect(stdout).not.toMatch(/sk-secret|maxSteps/);
    expect((await cairn(paths, ["config", "--all"])).stdout).toMatch(
      /^daemon +"auto" +\(default\)$/m,
    );
  });

  it("reports the position in an invalid file as a usage error", async () => {
    const paths = createConfigFolders();
    paths.writeUser("{");
    const { code, stderr } = await cairn(paths, ["config"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/config\.json: Broken JSON.*line 1, column 2/);
  });
});
