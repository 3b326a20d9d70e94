// @module-tag long: starts and kills processes.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { builtPackage } from "../../support/built-package.ts";
import { type CliResult, waitForExit } from "../../support/run-cli.ts";
import { DaemonFixture } from "./support/daemon-fixture.ts";
import { sendToDaemon, startDaemon } from "./support/send-to-daemon.ts";

const BLOCKS = 256;
/** Larger than the file size limit of 256 blocks of 512 bytes. */
const LONG = "a long note ".repeat(20_000);
const canBind = spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;

describe("the daemon", { timeout: 360_000 }, () => {
  let built: string;
  beforeAll(async () => {
    built = await builtPackage("hard-places");
  }, 180_000);

  it("declines requests on a full disk and continues", async () => {
    const fixture = new DaemonFixture(built);
    await fixture.print(["remember", "Before"], { env: { CAIRN_DAEMON: "off" } });
    await startWithLittleRoom(fixture);
    expect(await sendToDaemon(fixture, ["list", "episodes", "--json"])).toMatchObject({
      by: "daemon",
    });
    const written = await sendToDaemon(fixture, ["remember", LONG, "--json"]);
    expect(written).toMatchObject({ by: "command", code: 0 });
    const { by, stdout } = await sendToDaemon(fixture, ["list", "episodes", "--json"]);
    expect([by, JSON.parse(stdout).total]).toEqual(["daemon", 2]);
  });

  it.skipIf(!canBind)("is neither started nor contacted in a read-only folder", async () => {
    const fixture = new DaemonFixture(built);
    await fixture.print(["remember", "The build is green"], { env: { CAIRN_DAEMON: "off" } });
    const recall = ["recall", "build", "--json"];
    const alone = await runReadOnly(fixture, recall);
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.stdout).toContain("The build is green");
    expect(existsSync(fixture.folder)).toBe(false);

    await startDaemon(fixture);
    const beside = await runReadOnly(fixture, recall);
    expect(beside).toEqual(alone);
    expect(await fixture.status()).toMatchObject({ answered: 0 });
  });

  it.skipIf(process.getuid?.() === 0)(
    "is not started in a folder without write permission",
    async () => {
      const fixture = new DaemonFixture(built);
      await fixture.print(["remember", "The build is green"], { env: { CAIRN_DAEMON: "off" } });
      chmodSync(fixture.dataDir, 0o500);
      onTestFinished(() => chmodSync(fixture.dataDir, 0o700));
      expect(await fixture.print(["recall", "build"])).toContain("The build is green");
      expect(existsSync(fixture.folder)).toBe(false);
    },
  );
});

/**
 * Simulates a full disk by a file size limit. SIGXFSZ is ignored, so that writes fail with an
 * error.
 */
async function startWithLittleRoom(fixture: DaemonFixture): Promise<void> {
  fixture.makeFolder();
  const script = `ulimit -f ${BLOCKS}; exec "$0" "$@"`;
  const args = ["--import", "data:text/javascript,process.on('SIGXFSZ',()=>{})"];
  const child = spawn(
    "sh",
    ["-c", script, process.execPath, ...args, fixture.daemonFile, fixture.folder],
    { cwd: fixture.folder, env: fixture.env, stdio: "ignore" },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await fixture.waitUntilRunning();
}

/** Runs the command with all file systems read-only. */
function runReadOnly(place: DaemonFixture, args: readonly string[]): Promise<CliResult> {
  const program = join(built(place), "bin", "cairn.js");
  const child = spawn(
    "bwrap",
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", process.execPath, program, ...args],
    { cwd: place.project, env: place.env, stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return waitForExit(child);
}

function built(fixture: DaemonFixture): string {
  return join(fixture.daemonFile, "..", "..");
}
