import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isDaemonEnabled } from "../../../src/app/daemon/client.ts";
import { configPaths } from "../../../src/config/index.ts";

const LASTING = "/home/ada/.local/share/cairn";
const ADA = { HOME: "/home/ada" };

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-wish-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("the daemon starts", () => {
  it("by default for a persistent data folder", () => {
    expect(isDaemonEnabled(ADA, LASTING)).toBe(true);
    expect(isDaemonEnabled({ ...ADA, CI: "false", CAIRN_DAEMON: "" }, LASTING)).toBe(true);
    expect(isDaemonEnabled({ ...ADA, NODE_OPTIONS: "--max-old-space-size=4096" }, LASTING)).toBe(
      true,
    );
  });

  it("never if the variable is off or invalid", () => {
    expect(isDaemonEnabled({ ...ADA, CAIRN_DAEMON: "off" }, LASTING)).toBe(false);
    expect(isDaemonEnabled({ ...ADA, CAIRN_DAEMON: "on" }, LASTING)).toBe(false);
  });

  const soonOver = [
    { what: "an integration run", env: { CI: "true" } },
    { what: "a sandbox", env: { SANDBOX_RUNTIME: "1" } },
    { what: "a command of the agent", env: { CAIRN_PROCESS_TREE: "1.2." } },
    { what: "a run whose lines are counted", env: { NODE_V8_COVERAGE: "/coverage" } },
    { what: "a debugger", env: { NODE_OPTIONS: "--no-warnings --inspect-brk=0" } },
    { what: "a profiler", env: { NODE_OPTIONS: "--cpu-prof" } },
  ];
  it.each(soonOver)("within $what only if enabled explicitly", ({ env }) => {
    expect(isDaemonEnabled({ ...ADA, ...env }, LASTING)).toBe(false);
    expect(isDaemonEnabled({ ...ADA, ...env, CAIRN_DAEMON: "auto" }, LASTING)).toBe(true);
    const { home } = withConfig({ daemon: "auto" });
    expect(isDaemonEnabled({ HOME: home, ...env }, LASTING)).toBe(true);
  });

  it("for a temporary data folder only if enabled explicitly", () => {
    const folder = temporary();
    const link = join(temporary(), "link");
    symlinkSync(folder, link);
    for (const dataDir of [folder, join(folder, "not", "there"), link, "/tmp/x"]) {
      expect(isDaemonEnabled(ADA, dataDir), dataDir).toBe(false);
      expect(isDaemonEnabled({ ...ADA, CAIRN_DAEMON: "auto" }, dataDir), dataDir).toBe(true);
    }
    expect(isDaemonEnabled({ ...ADA, TMPDIR: "/home/ada/tmp" }, "/home/ada/tmp/data")).toBe(false);
    for (const dataDir of ["/tmpfiles/data", "/var/tmp/data"]) {
      expect(isDaemonEnabled(ADA, dataDir), dataDir).toBe(true);
    }
  });

  it("if the config mentions it, so that the daemon reads the value", () => {
    const { home, folder } = withConfig({ daemon: "off" });
    expect(isDaemonEnabled({ HOME: home }, folder)).toBe(true);
    expect(isDaemonEnabled({ HOME: home, CAIRN_DAEMON: "off" }, folder)).toBe(false);
  });
});

function withConfig(config: object): { home: string; folder: string } {
  const home = temporary();
  const { userConfigFile } = configPaths({ env: { HOME: home }, cwd: "/" });
  mkdirSync(dirname(userConfigFile), { recursive: true });
  writeFileSync(userConfigFile, JSON.stringify(config));
  return { home, folder: join(home, "data") };
}
