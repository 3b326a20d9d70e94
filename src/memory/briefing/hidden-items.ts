import { withTimeout } from "../../shared/async.ts";
import type { Memory } from "../memory.ts";

export const HIDDEN_LABEL = { key: "told", value: "never" } as const;

const MAX_ITEMS = 500;

export async function loadHiddenIds(memory: Memory): Promise<ReadonlySet<string>> {
  const { items } = await memory.execute("items", {
    kinds: ["episode", "fact", "concept"],
    labels: `${HIDDEN_LABEL.key}=${HIDDEN_LABEL.value}`,
    limit: MAX_ITEMS,
  });
  return new Set(items.flatMap(({ id, episode_id: episode }) => [id, episode ?? id]));
}

/**
 * Returns whether an item of an outer layer, as recall names it, is hidden. Every item of a layer that
 * does not respond in time is hidden.
 */
export async function loadHiddenInLayers(
  layers: readonly Memory[],
  timeoutMs: number,
): Promise<(id: string) => boolean> {
  const reported = await Promise.allSettled(
    layers.map((layer) => withTimeout({ timeoutMs: timeoutMs }, () => loadHiddenIds(layer))),
  );
  return (id) =>
    layers.some(({ name }, index) => {
      if (!id.startsWith(`${name}/`)) return false;
      const one = reported[index];
      return one?.status !== "fulfilled" || one.value.has(id.slice(name.length + 1));
    });
}
