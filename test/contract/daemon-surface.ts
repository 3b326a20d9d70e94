import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { askThrough, startHere } from "../app/daemon/support/ask-through.ts";
import { StayingPlace } from "../app/daemon/support/staying-place.ts";
import { commandOf, outcomeOf } from "./cli-surface.ts";
import type { Ground, Surface } from "./surface.ts";

/** Every call is a command line, for the process that stays; it does not fail to answer what goes well. */
export async function daemonSurface({ dataDir }: Ground, built: string): Promise<Surface> {
  const place = new StayingPlace(built, dataDir);
  const pid = await startHere(place);
  return {
    name: "CLI through the process that stays",
    async call(operation, input) {
      const line = commandOf(operation, input);
      if (line === undefined) return undefined;
      const { by, code, stdout } = await askThrough(place, line.args, {
        stdin: line.stdin,
        // What is kept of recalls differs by the way in, and so would the answers about it.
        env: { CAIRN_RECALL_LOG: "off" },
      });
      expect({ code, by }).toEqual({ code, by: code === 0 ? "daemon" : "command" });
      return outcomeOf(code ?? 1, stdout);
    },
    async close() {
      process.kill(pid, "SIGKILL");
      await place.untilGone(pid);
      rmSync(join(dataDir, "daemon"), { recursive: true, force: true });
    },
  };
}
