import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { DaemonFixture } from "../app/daemon/support/daemon-fixture.ts";
import { sendToDaemon, startDaemon } from "../app/daemon/support/send-to-daemon.ts";
import { commandOf, outcomeOf } from "./cli-surface.ts";
import type { Surface, SurfaceSetup } from "./surface.ts";

/**
 * Runs every call as a command line in the daemon. A successful command must not fall back to the
 * CLI.
 */
export async function daemonSurface({ dataDir }: SurfaceSetup, built: string): Promise<Surface> {
  const fixture = new DaemonFixture(built, dataDir);
  const pid = await startDaemon(fixture);
  return {
    name: "CLI through the process that stays",
    async call(operation, input) {
      const line = commandOf(operation, input);
      if (line === undefined) return undefined;
      const { by, code, stdout } = await sendToDaemon(fixture, line.args, {
        stdin: line.stdin,
        // Off, because the surface name would differ in the recall log.
        env: { CAIRN_RECALL_LOG: "off" },
      });
      expect({ code, by }).toEqual({ code, by: code === 0 ? "daemon" : "command" });
      return outcomeOf(code ?? 1, stdout);
    },
    async close() {
      process.kill(pid, "SIGKILL");
      await fixture.waitUntilGone(pid);
      rmSync(join(dataDir, "daemon"), { recursive: true, force: true });
    },
  };
}
