import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ExitGuard } from "../../../src/agent/processes/exit-guard.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { openSandbox, type Sandbox } from "../../../src/agent/sandbox/open-sandbox.ts";

let folder: string;
let sandbox: Sandbox | undefined;
beforeEach(async () => {
  // Not below the folder for temporary files: that one is writable in the sandbox.
  folder = await realpath(await mkdtemp(join(homedir(), ".cairn-sandbox-test-")));
  await mkdir(join(folder, "project"));
  await mkdir(join(folder, "config"));
  await writeFile(join(folder, "config/config.json"), '{"apiKey":"secret"}');
});
afterEach(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(options: { enabled?: boolean; path?: string } = {}): Promise<Sandbox> {
  sandbox = await openSandbox({
    enabled: options.enabled ?? true,
    projectRoot: join(folder, "project"),
    userConfigDir: join(folder, "config"),
    dataDir: join(folder, "data"),
    environment: { PATH: options.path ?? process.env.PATH ?? "" },
  });
  return sandbox;
}

async function run(command: string): Promise<string> {
  const processes = new ProcessTable({
    name: `sandbox${Math.random().toString(36).slice(2)}`,
    cwd: join(folder, "project"),
    environment: { PATH: process.env.PATH ?? "" },
    wrap: (sandbox as Sandbox).wrap,
    guard: new ExitGuard(),
  });
  const started = await processes.start(command);
  await started.ended;
  await processes.killAll();
  return started.output.text();
}

describe("a sandbox", () => {
  test("that was switched off says so and runs commands as they are", async () => {
    expect((await open({ enabled: false })).label).toBe("off (by setting)");
    expect(await run("echo works")).toBe("works\n");
  });

  test.runIf(process.platform === "linux")("that is not installed says so", async () => {
    expect((await open({ path: "/nonexistent" })).label).toBe("off (not installed: bwrap, socat)");
    expect(await run("echo works")).toBe("works\n");
  });
});

const probe = await openSandbox({
  enabled: true,
  projectRoot: homedir(),
  userConfigDir: "/nonexistent",
  dataDir: "/nonexistent",
  environment: { PATH: process.env.PATH ?? "" },
});
await probe.close();

describe.runIf(!probe.label.startsWith("off"))("a sandbox in force", () => {
  test("lets commands write in the project and nowhere else, and hides the config", async () => {
    await open();
    const output = await run(
      "echo in > in.txt; echo out > ../out.txt; cat ../config/config.json; ls -A; echo end",
    );
    expect(await readFile(join(folder, "project/in.txt"), "utf8")).toBe("in\n");
    expect(existsSync(join(folder, "out.txt"))).toBe(false);
    expect(await readdir(join(folder, "project"))).toEqual(["in.txt"]);
    expect(output).not.toContain("secret");
    expect(output).toContain("in.txt\nend\n");
  });
});
