import { expect } from "vitest";
import { busyRecalls } from "../support/busy-recalls.ts";
import { defined } from "../support/defined.ts";
import { memoryStore } from "../support/memory-server.ts";
import { inProcessSurface } from "./in-process-surface.ts";
import type { Ground, Surface } from "./surface.ts";

/** In process, with every recall done by another one. */
export async function apartSurface({ dataDir }: Ground): Promise<Surface> {
  const store = memoryStore(dataDir, [], { worksApart: true, recallProcesses: 1 });
  const processes = defined(store.recallProcesses);
  const inner = inProcessSurface({ dataDir, store });
  let busy: { end(): Promise<void> } | undefined;
  return {
    name: "recalls apart",
    async call(operation, input) {
      const isThere = await store.open().isThere();
      const isRecall = operation.name === "recall" && isThere;
      if (isRecall) {
        busy ??= await busyRecalls(processes, () =>
          store.open().execute("recall", { query: "nothing of the kind" }),
        );
      }
      const before = processes.state;
      const outcome = await inner.call(operation, input);
      const { answered } = processes.state;
      if (isRecall && outcome !== undefined && "output" in outcome) {
        expect(answered).toBe(before.answered + 1);
      }
      return outcome;
    },
    async close() {
      await busy?.end();
      await store.close();
    },
  };
}
